import type { RoomStatistics } from "./RoomStatistics.js"

/** Counts over the 734 training games of ALFWorld's data release 2.1.3 that play in a bedroom. */
export const bedroom: RoomStatistics = {
  games: 734,
  receptaclesPerSpot: { 1: 8737, 2: 738, 3: 106, 4: 31 },
  receptacles: {
    ArmChair: { 1: 86, 2: 21, 3: 33 },
    Bed: { 1: 619, 2: 115 },
    Cabinet: { 1: 30, 2: 33, 4: 55 },
    CounterTop: { 1: 21 },
    Desk: { 1: 454, 2: 59 },
    DiningTable: { 1: 92 },
    Drawer: { 2: 177, 3: 94, 4: 61, 5: 97, 6: 49, 8: 32, 10: 59, 11: 61, 13: 30, 16: 18, 17: 27 },
    Dresser: { 1: 288, 2: 48 },
    GarbageCan: { 1: 734 },
    LaundryHamper: { 1: 203 },
    Safe: { 1: 121 },
    Shelf: { 1: 176, 2: 83, 5: 88, 6: 27, 7: 28, 8: 18, 9: 31, 12: 24, 14: 25 },
    SideTable: { 1: 342, 2: 140 }
  },
  objects: {
    AlarmClock: {
      count: { 1: 349, 2: 241, 3: 128, 4: 12 },
      places: { Desk: 428, Dresser: 219, SideTable: 241, Shelf: 271, DiningTable: 89, CounterTop: 15 }
    },
    Book: {
      count: { 1: 308, 2: 236, 3: 170, 4: 19 },
      places: {
        Bed: 694, Desk: 263, Dresser: 65, Drawer: 162, ArmChair: 27, Cabinet: 36, SideTable: 57, Shelf: 22,
        DiningTable: 34, CounterTop: 6
      }
    },
    Bowl: {
      count: { 1: 196, 2: 93, 3: 36, 4: 7 },
      places: { Desk: 225, Shelf: 153, Dresser: 76, SideTable: 20, CounterTop: 11, DiningTable: 33 }
    },
    Box: {
      count: { 1: 62, 2: 2 },
      places: { Desk: 38, Shelf: 28 }
    },
    CD: {
      count: { 1: 266, 2: 204, 3: 195, 4: 16 },
      places: {
        Desk: 264, Drawer: 373, SideTable: 170, Shelf: 98, Dresser: 184, GarbageCan: 106, Cabinet: 24,
        ArmChair: 21, Safe: 7, DiningTable: 76
      }
    },
    CellPhone: {
      count: { 1: 226, 2: 246, 3: 233, 4: 29 },
      places: {
        Bed: 444, Desk: 268, Dresser: 151, SideTable: 150, Shelf: 118, Drawer: 255, ArmChair: 47, Cabinet: 11,
        Safe: 32, DiningTable: 49, CounterTop: 8
      }
    },
    CreditCard: {
      count: { 1: 235, 2: 249, 3: 245, 4: 5 },
      places: {
        Drawer: 431, Shelf: 266, Dresser: 179, Desk: 262, SideTable: 240, ArmChair: 49, DiningTable: 50,
        CounterTop: 11
      }
    },
    DeskLamp: {
      count: { 1: 493, 2: 29 },
      places: { Dresser: 139, SideTable: 157, Desk: 195, Shelf: 60 }
    },
    HousePlant: {
      count: { 1: 138, 2: 33 },
      places: { Shelf: 87, Cabinet: 33, Desk: 66, Dresser: 18 }
    },
    KeyChain: {
      count: { 1: 241, 2: 242, 3: 220, 4: 11, 5: 2 },
      places: {
        Drawer: 379, Dresser: 192, Desk: 255, SideTable: 227, Shelf: 224, Safe: 55, ArmChair: 38, Cabinet: 11,
        DiningTable: 57, CounterTop: 1
      }
    },
    Laptop: {
      count: { 1: 378, 2: 259, 3: 95, 4: 2 },
      places: { Bed: 874, Desk: 220, Dresser: 44, ArmChair: 14, DiningTable: 26, CounterTop: 11 }
    },
    Mirror: {
      count: { 1: 39 },
      places: { CounterTop: 21, Dresser: 18 }
    },
    Mug: {
      count: { 1: 145, 2: 125, 3: 92 },
      places: { Desk: 242, Dresser: 107, Shelf: 120, SideTable: 108, Cabinet: 25, DiningTable: 60, CounterTop: 9 }
    },
    Pen: {
      count: { 1: 208, 2: 253, 3: 263, 4: 10 },
      places: {
        Shelf: 240, Desk: 431, Drawer: 281, Dresser: 233, SideTable: 221, GarbageCan: 26, DiningTable: 98,
        CounterTop: 13
      }
    },
    Pencil: {
      count: { 1: 241, 2: 252, 3: 228, 4: 11 },
      places: {
        Shelf: 253, Desk: 347, SideTable: 261, Dresser: 169, Drawer: 267, GarbageCan: 73, DiningTable: 91,
        CounterTop: 12
      }
    },
    Pillow: {
      count: { 1: 308, 2: 346, 3: 77, 4: 3 },
      places: { Bed: 1234, ArmChair: 9 }
    },
    RemoteControl: {
      count: { 1: 34, 2: 33, 3: 21 },
      places: {
        Drawer: 56, SideTable: 24, Desk: 48, ArmChair: 9, CounterTop: 13, Shelf: 2, Dresser: 4, DiningTable: 7
      }
    },
    Statue: {
      count: { 1: 70, 2: 27, 3: 10 },
      places: { Shelf: 66, Desk: 40, Dresser: 41, SideTable: 7 }
    },
    TeddyBear: {
      count: { 1: 195 },
      places: { Bed: 195 }
    },
    Television: {
      count: { 1: 21 },
      places: { Dresser: 21 }
    },
    TissueBox: {
      count: { 1: 41, 2: 35, 3: 23, 4: 2 },
      places: { Drawer: 48, Dresser: 3, Shelf: 22, Desk: 69, SideTable: 17, DiningTable: 29 }
    },
    Vase: {
      count: { 1: 8, 2: 20, 3: 12, 4: 2 },
      places: { Shelf: 41, Dresser: 33, Desk: 10, SideTable: 8 }
    },
    Watch: {
      count: { 1: 12, 2: 24, 3: 14, 4: 2 },
      places: { Dresser: 12, Shelf: 22, Desk: 17, Drawer: 34, DiningTable: 18, SideTable: 7 }
    },
    Window: {
      count: { 1: 24, 2: 28 },
      places: { Dresser: 24, Shelf: 56 }
    }
  }
}
