import type { TokenIds } from "../../services/ChatFormat.js"

/** Words that structure a sequence and never occur in a game's text. */
const markers = ["<pad>", "<unk>", "<bos>", "<task>", "<obs>", "<act>", "<end>", "<hint>", "</hint>"] as const

/** Instance numbers, and the counts of the room's listing. */
const numbers = Array.from({ length: 45 }, (_, index) => String(index + 1))

/** Everything an ALFWorld scene calls a receptacle. */
const receptacles = [
  "armchair", "bathtubbasin", "bed", "cabinet", "cart", "coffeemachine", "coffeetable", "countertop", "desk",
  "diningtable", "drawer", "dresser", "footstool", "fridge", "garbagecan", "handtowelholder", "laundryhamper",
  "microwave", "ottoman", "safe", "shelf", "sidetable", "sinkbasin", "sofa", "stoveburner", "toaster", "toilet",
  "toiletpaperhanger", "towelholder", "tvstand"
] as const

/** Everything else an ALFWorld scene names: things to take, lamps, and fixtures. */
const objects = [
  "alarmclock", "apple", "baseballbat", "basketball", "bathtub", "blinds", "book", "boots", "bowl", "box", "bread",
  "butterknife", "candle", "cd", "cellphone", "chair", "cloth", "creditcard", "cup", "curtains", "desklamp",
  "dishsponge", "egg", "faucet", "floorlamp", "fork", "glassbottle", "handtowel", "houseplant", "kettle", "keychain",
  "knife", "ladle", "laptop", "laundryhamperlid", "lettuce", "lightswitch", "mirror", "mug", "newspaper", "painting",
  "pan", "papertowelroll", "pen", "pencil", "peppershaker", "pillow", "plate", "plunger", "poster", "pot", "potato",
  "remotecontrol", "saltshaker", "scrubbrush", "showercurtain", "showerdoor", "showerglass", "showerhead", "sink",
  "soapbar", "soapbottle", "spatula", "spoon", "spraybottle", "statue", "stoveknob", "teddybear", "television",
  "tennisracket", "tissuebox", "toiletpaper", "tomato", "towel", "vase", "watch", "wateringcan", "window", "winebottle"
] as const

/** Words of commands and of task sentences. */
const commandWords = [
  "go", "to", "open", "close", "take", "from", "move", "put", "use", "heat", "cool", "clean", "slice", "with",
  "examine", "look", "inventory", "help", "in", "on", "at", "under", "a", "the", "some", "two", "it", "them", "and",
  "find", "hot"
] as const

/** Words that observations are shortened to. */
const observationWords = [
  ":", "room", "closed", "nothing", "happens", "ok", "carrying", "facing", "normal", "cold", "sliced"
] as const

/** Words of the skill texts that the other lists lack. */
const hintWords = [
  "skill", "visit", "new", "places", "first", "second", "do", "not", "never", "repeat", "again", "often", "seldom",
  "then", "target", "same", "hold", "lamp", "if"
] as const

/**
 * The embedded policy's vocabulary: one id a word, the id being its position here. Weight files depend on this order:
 * a change needs the base models to be cloned again.
 */
export const words: ReadonlyArray<string> = [
  ...markers,
  ...numbers,
  ...receptacles,
  ...objects,
  ...commandWords,
  ...observationWords,
  ...hintWords
]

const ids: ReadonlyMap<string, number> = new Map(words.map((word, id) => [word, id]))

/** Ids of the words that structure a sequence. */
export const marker = {
  pad: 0,
  unknown: 1,
  start: 2,
  task: 3,
  observation: 4,
  action: 5,
  end: 6,
  hint: 7,
  hintEnd: 8
} as const

/** Whether an id is one of the structuring words. */
export const isMarker = (id: number): boolean => id >= 0 && id < markers.length

/** Whether a word has an id of its own (the structuring words do not count: a text cannot hold them). */
export const isKnown = (word: string): boolean => {
  const id = ids.get(word)
  return id !== undefined && !isMarker(id)
}

/** Ids of words; a word that the vocabulary lacks becomes `<unk>`. */
export const encodeWords = (list: ReadonlyArray<string>): Array<number> =>
  list.map((word) => {
    const id = ids.get(word)
    return id === undefined || isMarker(id) ? marker.unknown : id
  })

/** The words of ids, joined by blanks; an id outside the vocabulary reads `<unk>`. */
export const decodeIds = (list: TokenIds): string => list.map((id) => words[id] ?? words[marker.unknown]).join(" ")
