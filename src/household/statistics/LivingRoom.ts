import type { RoomStatistics } from "./RoomStatistics.js"

/** Counts over the 477 training games of ALFWorld's data release 2.1.3 that play in a livingroom. */
export const livingroom: RoomStatistics = {
  games: 477,
  receptaclesPerSpot: { 1: 6421, 2: 224, 3: 17, 4: 6 },
  receptacles: {
    ArmChair: { 1: 266, 2: 161, 3: 11 },
    Cabinet: { 1: 18, 4: 36, 8: 20 },
    CoffeeTable: { 1: 312, 2: 84 },
    Desk: { 1: 6 },
    DiningTable: { 1: 187, 2: 40 },
    Drawer: { 1: 70, 2: 19, 4: 164, 6: 16, 7: 61, 8: 11, 12: 11, 21: 18 },
    Dresser: { 1: 170, 2: 11 },
    GarbageCan: { 1: 477 },
    Ottoman: { 1: 58 },
    Safe: { 1: 6 },
    Shelf: { 1: 33, 2: 28, 3: 6, 4: 16, 5: 4, 6: 16, 8: 39, 13: 20, 14: 15 },
    SideTable: { 1: 154, 2: 112, 3: 108, 5: 18 },
    Sofa: { 1: 383, 2: 94 },
    TVStand: { 1: 136, 2: 31 }
  },
  objects: {
    Book: {
      count: { 1: 58, 2: 38, 3: 26, 4: 3 },
      places: {
        Dresser: 53, Sofa: 37, CoffeeTable: 65, SideTable: 19, ArmChair: 25, DiningTable: 20, TVStand: 2, Drawer: 3
      }
    },
    Bowl: {
      count: { 1: 21, 2: 20, 3: 9, 4: 1 },
      places: { DiningTable: 34, CoffeeTable: 25, TVStand: 18, SideTable: 8, Shelf: 7 }
    },
    Box: {
      count: { 1: 286, 2: 103, 3: 22 },
      places: {
        Sofa: 136, SideTable: 46, CoffeeTable: 130, DiningTable: 143, TVStand: 16, Ottoman: 3, Dresser: 19,
        ArmChair: 17, Cabinet: 25, Shelf: 21, Desk: 2
      }
    },
    Candle: {
      count: { 1: 8, 2: 9, 3: 28 },
      places: { TVStand: 7, CoffeeTable: 31, SideTable: 45, Dresser: 2, DiningTable: 22, Drawer: 3 }
    },
    CellPhone: {
      count: { 1: 37, 2: 32, 3: 31, 4: 1 },
      places: {
        DiningTable: 18, CoffeeTable: 33, Dresser: 37, Drawer: 25, ArmChair: 7, Sofa: 28, SideTable: 34,
        Ottoman: 7, Shelf: 4, TVStand: 3, Desk: 2
      }
    },
    CreditCard: {
      count: { 1: 130, 2: 158, 3: 175, 4: 14 },
      places: {
        DiningTable: 96, Sofa: 199, SideTable: 107, Dresser: 68, Drawer: 132, CoffeeTable: 152, Shelf: 55,
        TVStand: 73, Ottoman: 11, ArmChair: 132, Desk: 2
      }
    },
    Curtains: {
      count: { 1: 19 },
      places: { SideTable: 19 }
    },
    DeskLamp: {
      count: { 1: 120 },
      places: { SideTable: 109, CoffeeTable: 11 }
    },
    HousePlant: {
      count: { 1: 317 },
      places: { SideTable: 166, DiningTable: 19, CoffeeTable: 81, Dresser: 36, TVStand: 15 }
    },
    KeyChain: {
      count: { 1: 193, 2: 159, 3: 84, 4: 2 },
      places: {
        DiningTable: 56, SideTable: 126, Sofa: 92, CoffeeTable: 154, Drawer: 124, Dresser: 43, Shelf: 37,
        ArmChair: 68, TVStand: 57, Ottoman: 11, Desk: 2, Safe: 1
      }
    },
    Laptop: {
      count: { 1: 314, 2: 131, 3: 31, 4: 1 },
      places: {
        SideTable: 50, DiningTable: 140, CoffeeTable: 165, Sofa: 185, ArmChair: 31, Dresser: 55, TVStand: 34,
        Ottoman: 11, Desk: 2
      }
    },
    Newspaper: {
      count: { 1: 113, 2: 98, 3: 72, 4: 12 },
      places: {
        Dresser: 44, DiningTable: 97, SideTable: 80, Sofa: 112, Drawer: 11, Shelf: 62, CoffeeTable: 102,
        Ottoman: 7, ArmChair: 40, TVStand: 17, GarbageCan: 1
      }
    },
    Pen: {
      count: { 1: 30, 2: 33, 3: 31, 4: 1 },
      places: {
        SideTable: 39, Dresser: 42, CoffeeTable: 66, TVStand: 12, Drawer: 11, GarbageCan: 8, DiningTable: 7,
        Shelf: 8
      }
    },
    Pencil: {
      count: { 1: 28, 2: 23, 3: 25, 4: 2 },
      places: {
        CoffeeTable: 43, SideTable: 51, Dresser: 11, Drawer: 16, GarbageCan: 10, TVStand: 10, DiningTable: 7,
        Shelf: 9
      }
    },
    Pillow: {
      count: { 1: 416, 2: 59, 3: 2 },
      places: { ArmChair: 106, Sofa: 433, Ottoman: 1 }
    },
    Plate: {
      count: { 1: 76, 2: 67, 3: 26 },
      places: { DiningTable: 143, SideTable: 31, CoffeeTable: 68, Dresser: 3, TVStand: 6, Shelf: 37 }
    },
    RemoteControl: {
      count: { 1: 159, 2: 170, 3: 118, 4: 18 },
      places: {
        ArmChair: 76, SideTable: 121, CoffeeTable: 222, Dresser: 77, Sofa: 172, DiningTable: 100, TVStand: 77,
        Drawer: 35, Ottoman: 13, Shelf: 30, Desk: 2
      }
    },
    Statue: {
      count: { 1: 123, 2: 167, 3: 145, 4: 5, 7: 20 },
      places: { DiningTable: 206, CoffeeTable: 269, SideTable: 197, Dresser: 81, TVStand: 90, Shelf: 207, Desk: 2 }
    },
    Television: {
      count: { 1: 337 },
      places: { Dresser: 145, TVStand: 151, SideTable: 10, CoffeeTable: 31 }
    },
    TissueBox: {
      count: { 1: 44, 2: 57, 3: 57, 4: 4 },
      places: {
        Shelf: 39, CoffeeTable: 125, SideTable: 64, Drawer: 12, TVStand: 26, DiningTable: 66, GarbageCan: 5,
        Dresser: 8
      }
    },
    Vase: {
      count: { 1: 30, 2: 51, 3: 87, 4: 47, 6: 20 },
      places: {
        SideTable: 82, DiningTable: 103, Shelf: 250, Dresser: 74, CoffeeTable: 138, TVStand: 38, Cabinet: 13,
        Desk: 3
      }
    },
    Watch: {
      count: { 1: 59, 2: 89, 3: 86, 4: 2 },
      places: { DiningTable: 53, SideTable: 92, CoffeeTable: 129, TVStand: 52, Shelf: 19, Dresser: 53, Drawer: 105 }
    },
    WateringCan: {
      count: { 1: 26, 2: 12, 3: 6 },
      places: { Shelf: 26, CoffeeTable: 36, SideTable: 6 }
    }
  }
}
