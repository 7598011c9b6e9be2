import type { RoomStatistics } from "./RoomStatistics.js"

/** Counts over the 646 training games of ALFWorld's data release 2.1.3 that play in a bathroom. */
export const bathroom: RoomStatistics = {
  games: 646,
  receptaclesPerSpot: { 1: 8081, 2: 538, 5: 26 },
  receptacles: {
    BathtubBasin: { 1: 459 },
    Cabinet: { 2: 14, 3: 24, 4: 191, 5: 33, 9: 24 },
    Cart: { 1: 54 },
    CounterTop: { 1: 462, 2: 94 },
    Drawer: { 1: 52, 2: 54, 4: 111, 6: 51, 8: 108 },
    Dresser: { 1: 53 },
    GarbageCan: { 1: 646 },
    HandTowelHolder: { 1: 377, 2: 243, 4: 26 },
    Shelf: { 1: 71, 2: 43, 3: 26, 4: 24 },
    SideTable: { 1: 40 },
    SinkBasin: { 1: 361, 2: 285 },
    Toilet: { 1: 646 },
    ToiletPaperHanger: { 1: 646 },
    TowelHolder: { 1: 447, 2: 199 }
  },
  objects: {
    Bathtub: {
      count: { 1: 28 },
      places: { BathtubBasin: 28 }
    },
    Candle: {
      count: { 1: 240, 2: 220, 3: 158, 4: 10 },
      places: {
        CounterTop: 368, Toilet: 362, Shelf: 83, Drawer: 158, Cabinet: 159, Dresser: 14, SideTable: 29, Cart: 21
      }
    },
    Cloth: {
      count: { 1: 237, 2: 210, 3: 186, 4: 11 },
      places: {
        Cabinet: 247, SinkBasin: 58, CounterTop: 209, BathtubBasin: 418, Cart: 18, Shelf: 55, Drawer: 193,
        Toilet: 41, Dresser: 18, SideTable: 2
      }
    },
    DishSponge: {
      count: { 1: 40, 2: 56, 3: 46, 4: 9 },
      places: {
        BathtubBasin: 59, GarbageCan: 14, Shelf: 31, Toilet: 25, Drawer: 64, Cart: 17, SinkBasin: 34, Cabinet: 17,
        CounterTop: 65
      }
    },
    FloorLamp: {
      count: { 2: 22 },
      places: { SinkBasin: 44 }
    },
    HandTowel: {
      count: { 1: 497, 2: 147, 3: 1, 4: 1 },
      places: { HandTowelHolder: 768, CounterTop: 30 }
    },
    HousePlant: {
      count: { 1: 28 },
      places: { SideTable: 28 }
    },
    Mirror: {
      count: { 1: 64 },
      places: { CounterTop: 64 }
    },
    PaperTowelRoll: {
      count: { 1: 83 },
      places: { GarbageCan: 9, Shelf: 14, CounterTop: 29, Cart: 5, Toilet: 26 }
    },
    ShowerGlass: {
      count: { 2: 22 },
      places: { CounterTop: 22, Shelf: 22 }
    },
    Sink: {
      count: { 1: 92, 2: 53 },
      places: { SinkBasin: 129, CounterTop: 69 }
    },
    SoapBar: {
      count: { 1: 227, 2: 197, 3: 180, 4: 24 },
      places: {
        BathtubBasin: 156, Toilet: 196, CounterTop: 248, Cabinet: 154, SinkBasin: 182, GarbageCan: 85, Drawer: 142,
        Shelf: 51, SideTable: 25, Cart: 18
      }
    },
    SoapBottle: {
      count: { 1: 250, 2: 214, 3: 148, 4: 11 },
      places: {
        Toilet: 279, Cabinet: 237, CounterTop: 347, Shelf: 109, GarbageCan: 105, SideTable: 14, Dresser: 27,
        Drawer: 35, Cart: 13
      }
    },
    SprayBottle: {
      count: { 1: 231, 2: 194, 3: 206, 4: 15 },
      places: {
        GarbageCan: 133, Toilet: 348, CounterTop: 416, Cabinet: 207, Shelf: 89, Cart: 47, SideTable: 35,
        Dresser: 21, Drawer: 1
      }
    },
    TissueBox: {
      count: { 1: 71, 2: 49, 3: 36, 4: 7 },
      places: { Cart: 13, CounterTop: 109, Toilet: 8, Shelf: 88, SideTable: 11, Drawer: 60, Cabinet: 16 }
    },
    ToiletPaper: {
      count: { 1: 145, 2: 360, 3: 127, 4: 7 },
      places: {
        Cabinet: 143, ToiletPaperHanger: 149, CounterTop: 289, Toilet: 298, GarbageCan: 120, Cart: 20, Shelf: 69,
        Drawer: 146, Dresser: 22, SideTable: 16, BathtubBasin: 2
      }
    },
    Towel: {
      count: { 1: 548, 2: 87, 3: 11 },
      places: { TowelHolder: 736, CounterTop: 19 }
    }
  }
}
