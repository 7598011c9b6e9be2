/** A histogram: value → how often it was seen. */
export type Histogram = Readonly<Record<number, number>>

/** What was counted over the training games of one room. Kinds of things are written as ALFWorld writes them. */
export interface RoomStatistics {
  /** Number of games counted. */
  readonly games: number
  /** Receptacles that can be reached from one spot → number of such spots. */
  readonly receptaclesPerSpot: Histogram
  /** Kind of receptacle → instances in a game → number of games; games without any are left out. */
  readonly receptacles: Readonly<Record<string, Histogram>>
  readonly objects: Readonly<Record<string, {
    /** Instances in a game → number of games; games without any are left out. */
    readonly count: Histogram
    /** Kind of receptacle → how many of the objects lay in such a receptacle when their game began. */
    readonly places: Readonly<Record<string, number>>
  }>>
}
