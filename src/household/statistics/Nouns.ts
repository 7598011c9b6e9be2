/**
 * What holds of every object and receptacle of a kind in ALFWorld's training games (release 2.1.3), by noun.
 */

/** Objects that can be taken. */
export const pickupable: ReadonlySet<string> = new Set([
  "AlarmClock", "Apple", "Book", "Bowl", "Box", "Bread", "ButterKnife", "CD", "Candle", "CellPhone", "Cloth",
  "CreditCard", "Cup", "DishSponge", "Egg", "Fork", "Glassbottle", "HandTowel", "Kettle", "KeyChain", "Knife",
  "Ladle", "Laptop", "Lettuce", "Mug", "Newspaper", "Pan", "PaperTowelRoll", "Pen", "Pencil", "PepperShaker",
  "Pillow", "Plate", "Pot", "Potato", "RemoteControl", "SaltShaker", "SoapBar", "SoapBottle", "Spatula", "Spoon",
  "SprayBottle", "Statue", "TeddyBear", "TissueBox", "ToiletPaper", "Tomato", "Towel", "Vase", "Watch",
  "WateringCan", "WineBottle"
])

/** Objects that can be cleaned at a sink basin. */
export const cleanable: ReadonlySet<string> = new Set([
  "Apple", "Bowl", "ButterKnife", "Cloth", "Cup", "DishSponge", "Egg", "Fork", "Kettle", "Knife", "Ladle",
  "Lettuce", "Mug", "Pan", "Plate", "Pot", "Potato", "SoapBar", "Spatula", "Spoon", "Tomato"
])

/** Objects that can be heated with a microwave. */
export const heatable: ReadonlySet<string> = new Set([
  "Apple", "Bread", "Cup", "Egg", "Mug", "Plate", "Potato", "Tomato"
])

/** Objects that can be cooled with a fridge. */
export const coolable: ReadonlySet<string> = new Set([
  "Apple", "Bowl", "Bread", "Cup", "Egg", "Lettuce", "Mug", "Pan", "Plate", "Pot", "Potato", "Tomato", "WineBottle"
])

/** Objects that can be sliced with a knife. */
export const sliceable: ReadonlySet<string> = new Set([
  "Apple", "Bread", "Egg", "Lettuce", "Potato", "Tomato"
])

/** Lamps: objects that can be switched on. */
export const toggleable: ReadonlySet<string> = new Set([
  "DeskLamp", "FloorLamp"
])

/** Objects that can hold other objects, such as a mug. */
export const holders: ReadonlySet<string> = new Set([
  "Bowl", "Box", "Cup", "Mug", "Pan", "Plate", "Pot"
])

/** How many of the objects of a kind are cool when a game starts, and of how many. */
export const coolAtStart: Readonly<Record<string, readonly [number, number]>> = {
  Apple: [36, 3412], Bowl: [14, 3933], Bread: [6, 2685], Cup: [74, 3318], Egg: [38, 3331], Glassbottle: [1, 789],
  Lettuce: [14, 2998], Mug: [53, 4436], Pan: [7, 3041], Plate: [22, 3208], Pot: [3, 3140], Potato: [54, 3269],
  Tomato: [63, 3380], WineBottle: [1, 1411]
}

/** How many of the receptacles of a kind can be opened and closed, and of how many. All start closed. */
export const openable: Readonly<Record<string, readonly [number, number]>> = {
  Cabinet: [20614, 24976], Drawer: [15123, 17989], Fridge: [1696, 1696], Microwave: [1696, 1696], Safe: [165, 198]
}

/**
 * Which kinds of receptacle accept which kinds of object: receptacle → objects, the union over all games.
 */
export const accepts: Readonly<Record<string, ReadonlySet<string>>> = {
  ArmChair: new Set([
    "Book", "Box", "CellPhone", "Cloth", "CreditCard", "KeyChain", "Laptop", "Newspaper", "Pillow", "RemoteControl"
  ]),
  BathtubBasin: new Set(["Cloth", "DishSponge", "HandTowel", "SoapBar"]),
  Bed: new Set(["Book", "CellPhone", "Laptop", "Pillow"]),
  Cabinet: new Set([
    "Book", "Bowl", "Box", "Candle", "CD", "Cloth", "Cup", "DishSponge", "Glassbottle", "HandTowel", "Kettle",
    "Ladle", "Mug", "Newspaper", "Pan", "PepperShaker", "Plate", "Pot", "SaltShaker", "SoapBar", "SoapBottle",
    "SprayBottle", "TissueBox", "ToiletPaper", "Vase", "WateringCan", "WineBottle"
  ]),
  Cart: new Set([
    "Candle", "Cloth", "DishSponge", "HandTowel", "SoapBar", "SoapBottle", "SprayBottle", "TissueBox", "ToiletPaper"
  ]),
  CoffeeMachine: new Set(["Mug"]),
  CoffeeTable: new Set([
    "Book", "Bowl", "Box", "Candle", "CellPhone", "CreditCard", "KeyChain", "Laptop", "Newspaper", "Pencil", "Pen",
    "Plate", "RemoteControl", "Statue", "TissueBox", "Vase", "Watch", "WateringCan"
  ]),
  CounterTop: new Set([
    "AlarmClock", "Apple", "Book", "Bowl", "Bread", "ButterKnife", "Candle", "CD", "CellPhone", "Cloth",
    "CreditCard", "Cup", "DishSponge", "Egg", "Fork", "Glassbottle", "HandTowel", "Kettle", "KeyChain", "Knife",
    "Ladle", "Laptop", "Lettuce", "Mug", "Pan", "Pencil", "Pen", "PepperShaker", "Plate", "Potato", "Pot",
    "RemoteControl", "SaltShaker", "SoapBar", "SoapBottle", "Spatula", "Spoon", "SprayBottle", "Statue",
    "TissueBox", "ToiletPaper", "Tomato", "Vase", "WineBottle"
  ]),
  Desk: new Set([
    "AlarmClock", "Book", "Bowl", "Box", "CD", "CellPhone", "Cloth", "CreditCard", "KeyChain", "Laptop", "Mug",
    "Pencil", "Pen", "RemoteControl", "Statue", "TissueBox", "Vase", "Watch", "WateringCan"
  ]),
  DiningTable: new Set([
    "AlarmClock", "Apple", "Book", "Bowl", "Box", "Bread", "ButterKnife", "Candle", "CD", "CellPhone", "Cloth",
    "CreditCard", "Cup", "DishSponge", "Egg", "Fork", "Glassbottle", "Kettle", "KeyChain", "Knife", "Ladle",
    "Laptop", "Lettuce", "Mug", "Newspaper", "Pan", "Pencil", "Pen", "PepperShaker", "Plate", "Potato", "Pot",
    "RemoteControl", "SaltShaker", "SoapBottle", "Spatula", "Spoon", "SprayBottle", "Statue", "TissueBox", "Tomato",
    "Vase", "Watch", "WateringCan", "WineBottle"
  ]),
  Drawer: new Set([
    "Book", "ButterKnife", "Candle", "CD", "CellPhone", "Cloth", "CreditCard", "DishSponge", "Fork", "HandTowel",
    "KeyChain", "Knife", "Ladle", "Newspaper", "Pencil", "Pen", "PepperShaker", "RemoteControl", "SaltShaker",
    "SoapBar", "SoapBottle", "Spatula", "Spoon", "SprayBottle", "TissueBox", "ToiletPaper", "Watch", "WateringCan"
  ]),
  Dresser: new Set([
    "AlarmClock", "Book", "Bowl", "Box", "Candle", "CD", "CellPhone", "Cloth", "CreditCard", "KeyChain", "Laptop",
    "Mug", "Newspaper", "Pencil", "Pen", "Plate", "RemoteControl", "SprayBottle", "Statue", "TissueBox",
    "ToiletPaper", "Vase", "Watch", "WateringCan"
  ]),
  Fridge: new Set([
    "Apple", "Bowl", "Bread", "Cup", "Egg", "Glassbottle", "Lettuce", "Mug", "Pan", "Plate", "Potato", "Pot",
    "Tomato", "WineBottle"
  ]),
  GarbageCan: new Set([
    "Apple", "Bread", "CD", "Cloth", "DishSponge", "Egg", "HandTowel", "Lettuce", "Newspaper", "Pencil", "Pen",
    "Potato", "SoapBar", "SoapBottle", "SprayBottle", "TissueBox", "ToiletPaper", "Tomato", "WineBottle"
  ]),
  HandTowelHolder: new Set(["HandTowel"]),
  LaundryHamper: new Set(["Cloth"]),
  Microwave: new Set(["Apple", "Bowl", "Bread", "Cup", "Egg", "Glassbottle", "Mug", "Plate", "Potato", "Tomato"]),
  Ottoman: new Set([
    "Book", "Box", "CellPhone", "CreditCard", "KeyChain", "Laptop", "Newspaper", "Pillow", "RemoteControl"
  ]),
  Safe: new Set(["CD", "CellPhone", "CreditCard", "KeyChain", "Statue", "Vase"]),
  Shelf: new Set([
    "AlarmClock", "Book", "Bowl", "Box", "Candle", "CD", "CellPhone", "Cloth", "CreditCard", "Cup", "DishSponge",
    "Glassbottle", "HandTowel", "Kettle", "KeyChain", "Mug", "Newspaper", "Pencil", "Pen", "PepperShaker", "Plate",
    "Pot", "RemoteControl", "SaltShaker", "SoapBar", "SoapBottle", "SprayBottle", "Statue", "TissueBox",
    "ToiletPaper", "Vase", "Watch", "WateringCan", "WineBottle"
  ]),
  SideTable: new Set([
    "AlarmClock", "Apple", "Book", "Bowl", "Box", "Bread", "ButterKnife", "Candle", "CD", "CellPhone", "Cloth",
    "CreditCard", "Cup", "DishSponge", "Egg", "Fork", "HandTowel", "Kettle", "KeyChain", "Knife", "Laptop",
    "Lettuce", "Mug", "Newspaper", "Pan", "Pencil", "Pen", "PepperShaker", "Plate", "Potato", "Pot",
    "RemoteControl", "SaltShaker", "SoapBar", "SoapBottle", "Spatula", "Spoon", "SprayBottle", "Statue",
    "TissueBox", "ToiletPaper", "Tomato", "Vase", "Watch", "WateringCan", "WineBottle"
  ]),
  SinkBasin: new Set([
    "Apple", "Bowl", "ButterKnife", "Cloth", "Cup", "DishSponge", "Egg", "Fork", "Glassbottle", "HandTowel",
    "Kettle", "Knife", "Ladle", "Lettuce", "Mug", "Pan", "Plate", "Potato", "Pot", "SoapBar", "Spatula", "Spoon",
    "Tomato"
  ]),
  Sofa: new Set([
    "Book", "Box", "CellPhone", "CreditCard", "KeyChain", "Laptop", "Newspaper", "Pillow", "RemoteControl"
  ]),
  StoveBurner: new Set(["Kettle", "Pan", "Pot"]),
  ToiletPaperHanger: new Set(["ToiletPaper"]),
  Toilet: new Set([
    "Candle", "Cloth", "DishSponge", "HandTowel", "SoapBar", "SoapBottle", "SprayBottle", "TissueBox", "ToiletPaper"
  ]),
  TowelHolder: new Set(["Towel"]),
  TVStand: new Set(["TissueBox"])
}
