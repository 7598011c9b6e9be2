import type { RoomStatistics } from "./RoomStatistics.js"

/** Counts over the 1696 training games of ALFWorld's data release 2.1.3 that play in a kitchen. */
export const kitchen: RoomStatistics = {
  games: 1696,
  receptaclesPerSpot: { 1: 44764, 2: 5424, 3: 209, 4: 107 },
  receptacles: {
    Cabinet: {
      2: 61, 4: 148, 8: 47, 9: 169, 10: 163, 11: 128, 12: 54, 13: 280, 15: 61, 16: 71, 18: 48, 19: 56, 20: 182,
      21: 59, 23: 51, 26: 61, 27: 57
    },
    CoffeeMachine: { 1: 1696 },
    CounterTop: { 1: 343, 2: 670, 3: 511, 4: 172 },
    DiningTable: { 1: 723, 2: 147, 3: 91 },
    Drawer: { 1: 171, 2: 60, 3: 347, 4: 250, 5: 185, 6: 181, 7: 48, 8: 57, 9: 108, 12: 118, 13: 61, 27: 63 },
    Fridge: { 1: 1696 },
    GarbageCan: { 1: 1696 },
    Microwave: { 1: 1696 },
    Safe: { 1: 71 },
    Shelf: { 3: 342 },
    SideTable: { 1: 184 },
    SinkBasin: { 1: 1696 },
    StoveBurner: { 4: 1635, 6: 61 },
    Toaster: { 1: 1696 }
  },
  objects: {
    Apple: {
      count: { 1: 565, 2: 539, 3: 563, 4: 20 },
      places: {
        Fridge: 828, CounterTop: 836, GarbageCan: 419, SinkBasin: 309, Microwave: 438, DiningTable: 519,
        SideTable: 63
      }
    },
    Book: {
      count: { 1: 114, 2: 51, 3: 25 },
      places: { CounterTop: 189, DiningTable: 31, Cabinet: 42, Drawer: 16, Shelf: 13 }
    },
    Bowl: {
      count: { 1: 595, 2: 584, 3: 504, 4: 12 },
      places: {
        CounterTop: 686, Cabinet: 1188, DiningTable: 508, Fridge: 677, SideTable: 13, Shelf: 56, Microwave: 91,
        SinkBasin: 104
      }
    },
    Bread: {
      count: { 1: 932, 2: 542, 3: 211, 4: 9 },
      places: {
        CounterTop: 1488, DiningTable: 832, Fridge: 327, SideTable: 18, Microwave: 5, CoffeeMachine: 1,
        GarbageCan: 14
      }
    },
    ButterKnife: {
      count: { 1: 609, 2: 592, 3: 408, 4: 3 },
      places: { CounterTop: 1772, SinkBasin: 166, DiningTable: 804, Drawer: 249, SideTable: 38 }
    },
    CellPhone: {
      count: { 1: 69, 2: 65, 3: 53 },
      places: { CounterTop: 145, Drawer: 153, DiningTable: 60 }
    },
    CreditCard: {
      count: { 1: 52, 2: 43, 3: 58 },
      places: { Drawer: 115, CounterTop: 144, Shelf: 53 }
    },
    Cup: {
      count: { 1: 622, 2: 532, 3: 504, 4: 30 },
      places: {
        Cabinet: 765, Fridge: 697, SinkBasin: 309, CounterTop: 698, DiningTable: 489, Microwave: 239, Shelf: 60,
        SideTable: 61
      }
    },
    DishSponge: {
      count: { 1: 560, 2: 563, 3: 551, 4: 2 },
      places: {
        Cabinet: 801, Drawer: 711, GarbageCan: 184, DiningTable: 427, CounterTop: 862, SideTable: 25,
        SinkBasin: 249, Shelf: 88
      }
    },
    Egg: {
      count: { 1: 570, 2: 586, 3: 511, 4: 14 },
      places: {
        Fridge: 841, CounterTop: 795, GarbageCan: 420, SinkBasin: 430, DiningTable: 395, SideTable: 52,
        Microwave: 398
      }
    },
    Fork: {
      count: { 1: 587, 2: 572, 3: 496, 4: 6 },
      places: { CounterTop: 1430, Drawer: 717, DiningTable: 766, SinkBasin: 281, SideTable: 49 }
    },
    Glassbottle: {
      count: { 1: 139, 2: 129, 3: 128, 4: 2 },
      places: {
        Cabinet: 241, CounterTop: 211, GarbageCan: 57, Fridge: 70, SinkBasin: 74, DiningTable: 108, Shelf: 28
      }
    },
    HousePlant: {
      count: { 1: 562, 2: 57 },
      places: { CounterTop: 523, DiningTable: 153 }
    },
    Kettle: {
      count: { 1: 391, 2: 323, 3: 161, 4: 4 },
      places: { Cabinet: 372, StoveBurner: 636, CounterTop: 391, DiningTable: 105, SinkBasin: 25, Shelf: 7 }
    },
    Knife: {
      count: { 1: 634, 2: 574, 3: 451, 4: 2 },
      places: {
        CounterTop: 1519, Drawer: 645, CoffeeMachine: 4, DiningTable: 797, SideTable: 26, SinkBasin: 149,
        GarbageCan: 3
      }
    },
    Ladle: {
      count: { 1: 200, 2: 224, 3: 160, 4: 7 },
      places: { CounterTop: 478, Cabinet: 289, Drawer: 202, DiningTable: 161, SinkBasin: 26 }
    },
    Lettuce: {
      count: { 1: 697, 2: 578, 3: 375, 4: 5 },
      places: { CounterTop: 1232, SinkBasin: 150, DiningTable: 854, Fridge: 687, GarbageCan: 30, SideTable: 45 }
    },
    Mug: {
      count: { 1: 449, 2: 548, 3: 460, 4: 190, 5: 16 },
      places: {
        CounterTop: 1046, Cabinet: 586, CoffeeMachine: 649, Fridge: 513, Microwave: 273, SinkBasin: 221,
        DiningTable: 393, SideTable: 33, Shelf: 51
      }
    },
    Pan: {
      count: { 1: 828, 2: 539, 3: 211, 4: 85, 5: 21, 6: 7, 7: 1, 8: 1 },
      places: {
        CounterTop: 1016, StoveBurner: 1568, Fridge: 117, Cabinet: 206, DiningTable: 130, Toaster: 3, SinkBasin: 1
      }
    },
    PaperTowelRoll: {
      count: { 1: 594 },
      places: { CounterTop: 339, GarbageCan: 91, Shelf: 54, DiningTable: 97, SideTable: 13 }
    },
    Pen: {
      count: { 1: 36, 2: 34, 3: 38 },
      places: { Drawer: 46, CounterTop: 86, GarbageCan: 11, DiningTable: 75 }
    },
    Pencil: {
      count: { 1: 50, 2: 49, 3: 21 },
      places: { DiningTable: 41, Drawer: 86, CounterTop: 63, GarbageCan: 21 }
    },
    PepperShaker: {
      count: { 1: 499, 2: 567, 3: 623, 4: 7 },
      places: { Cabinet: 1168, CounterTop: 1076, DiningTable: 582, Drawer: 517, Shelf: 107, SideTable: 80 }
    },
    Plate: {
      count: { 1: 728, 2: 567, 3: 334, 4: 14 },
      places: {
        CounterTop: 888, Cabinet: 1169, DiningTable: 460, Fridge: 264, SinkBasin: 69, Microwave: 16, Shelf: 51,
        SideTable: 3
      }
    },
    Pot: {
      count: { 1: 752, 2: 600, 3: 222, 4: 88, 5: 24, 6: 1, 7: 4, 8: 2 },
      places: {
        StoveBurner: 2306, CounterTop: 442, DiningTable: 128, SinkBasin: 14, Fridge: 131, Cabinet: 105, Shelf: 12,
        Toaster: 2
      }
    },
    Potato: {
      count: { 1: 620, 2: 552, 3: 487, 4: 21 },
      places: {
        Fridge: 859, CounterTop: 929, DiningTable: 540, SinkBasin: 358, Microwave: 334, SideTable: 43,
        GarbageCan: 206
      }
    },
    SaltShaker: {
      count: { 1: 599, 2: 559, 3: 527, 4: 11 },
      places: { CounterTop: 1063, Cabinet: 1055, DiningTable: 587, Drawer: 464, SideTable: 79, Shelf: 94 }
    },
    Sink: {
      count: { 1: 186 },
      places: { CounterTop: 186 }
    },
    SoapBottle: {
      count: { 1: 601, 2: 584, 3: 499 },
      places: {
        Cabinet: 997, CounterTop: 1056, DiningTable: 674, GarbageCan: 337, Shelf: 111, Drawer: 44, SideTable: 47
      }
    },
    Spatula: {
      count: { 1: 617, 2: 603, 3: 461, 4: 7 },
      places: { CounterTop: 1446, Drawer: 687, DiningTable: 799, SinkBasin: 279, SideTable: 20, StoveBurner: 3 }
    },
    Spoon: {
      count: { 1: 573, 2: 585, 3: 511, 4: 3 },
      places: { CounterTop: 1235, Drawer: 912, DiningTable: 723, SinkBasin: 359, SideTable: 58, CoffeeMachine: 1 }
    },
    SprayBottle: {
      count: { 1: 39, 2: 46, 3: 27 },
      places: { CounterTop: 70, Cabinet: 70, GarbageCan: 25, DiningTable: 47 }
    },
    Statue: {
      count: { 1: 97, 2: 129, 3: 36 },
      places: { CounterTop: 238, Shelf: 204, DiningTable: 21 }
    },
    Tomato: {
      count: { 1: 574, 2: 552, 3: 542, 4: 19 },
      places: { Fridge: 1123, GarbageCan: 309, DiningTable: 669, SinkBasin: 225, CounterTop: 1001, SideTable: 53 }
    },
    Vase: {
      count: { 2: 126, 3: 136 },
      places: { Cabinet: 206, CounterTop: 225, Shelf: 209, DiningTable: 20 }
    },
    Window: {
      count: { 2: 61 },
      places: { CounterTop: 122 }
    },
    WineBottle: {
      count: { 1: 256, 2: 226, 3: 229, 4: 4 },
      places: {
        CounterTop: 524, Cabinet: 357, DiningTable: 339, Shelf: 45, GarbageCan: 125, Fridge: 20, SideTable: 1
      }
    }
  }
}
