/**
 * What a household game says, as a TextWorld grammar (TWL2). Commands are exactly ALFWorld's. Observations tell the
 * same things in the same order in other words, where `<list>` is for example `a mug 2, and a mug 1`, or `nothing`:
 *
 * - the start: `-= Household games =-`, then `You stand in the middle of the room. Around you: <list>.`, then
 *   `Your task is to: put a hot cup in cabinet.`, with empty lines between them
 * - `look`: `You face the drawer 2, and drawer 1. Beside you: <list>.`; before the first move `You stand …: nothing.`
 * - `examine` a receptacle: `On the desk 1: <list>.`, `In the open fridge 1: <list>.` or `The fridge 1 is closed.`
 * - `go to`: `You walk up to the desk 1. `, then as `examine`; `open`: `You open the fridge 1. `, then as `examine`
 * - `close`: `You close the fridge 1.`; `take`: `You take the mug 1 from the desk 1.`
 * - `move`: `You put the mug 1 on the desk 1.`, or `in` for what can be opened
 * - `clean`: `You clean the mug 1 at the sinkbasin 1.`; `heat` and `cool`: `You heat the mug 1 in the microwave 1.`
 * - `use`: `You switch on the desklamp 1.`; `slice`: `You slice the apple 1 with the knife 1.`
 * - `inventory`: `Carrying: a mug 1.` or `Carrying: nothing.`
 * - `examine` an object: `The mug 1 is normal. In it: <list>.`, `The apple 1 is hot and clean.`, `The pen 1 is normal.`
 *
 * As in ALFWorld, things that can hold others are always said to be normal, and what lies in something closed is not
 * told. The answer to anything else, `Nothing happens.`, is the engine's own.
 */

interface Alternative {
  readonly condition?: string
  readonly rhs: string
}

/** States of an object that `examine` tells, the most telling first: facts, and the words for them. */
const objectStates: ReadonlyArray<readonly [facts: ReadonlyArray<string>, words: string]> = [
  [["ishot", "isclean", "issliced"], "hot and clean and sliced"],
  [["iscool", "isclean", "issliced"], "cool and clean and sliced"],
  [["isclean", "issliced"], "clean and sliced"],
  [["ishot", "issliced"], "hot and sliced"],
  [["iscool", "issliced"], "cool and sliced"],
  [["ishot", "isclean"], "hot and clean"],
  [["iscool", "isclean"], "cool and clean"],
  [["ishot"], "hot"],
  [["isclean"], "clean"],
  [["iscool"], "cold"],
  [["issliced"], "sliced"]
]

const here = "atlocation(a:agent, l:location) & receptacleatlocation(r:receptacle, l:location)"
const beside = `${here} & objectatlocation(o:object, l:location) & not_inreceptacle(o:object, r:receptacle)`
const everywhere = "receptacleatlocation(r:receptacle, l:location)"
const contents = "[{#thing# | inreceptacle(o:object, r:receptacle)}]"

const commandsHelp = [
  "You can say:",
  "look - where you are and what is beside you",
  "inventory - what you carry",
  "go to (receptacle) - walk up to it",
  "open (receptacle) - open it",
  "close (receptacle) - close it",
  "take (object) from (receptacle) - pick something up",
  "move (object) to (receptacle) - put down what you carry",
  "examine (something) - look closely at a receptacle here or at what you carry",
  "use (object) - switch on a lamp",
  "heat (object) with (receptacle) - heat what you carry",
  "clean (object) with (receptacle) - clean what you carry",
  "cool (object) with (receptacle) - cool what you carry",
  "slice (object) with (object) - cut something with the knife you carry"
].join("\n")

const rules: Readonly<Record<string, ReadonlyArray<Alternative>>> = {
  intro: [{ rhs: "-= Household games =-\n\n#look.feedback#\n\n#task#" }],
  thing: [{ rhs: "a {o.name}" }],
  furniture: [{ rhs: "a {r.name}" }],
  list_empty: [{ rhs: "nothing" }],
  list_separator: [{ rhs: ", " }],
  list_last_separator: [{ rhs: ", and " }],
  "look.feedback": [
    { condition: here, rhs: `You face the [{r.name | ${here}}]. Beside you: [{#thing# | ${beside}}].` },
    { rhs: `You stand in the middle of the room. Around you: [{#furniture# | ${everywhere}}].` }
  ],
  "inventory.feedback": [{ rhs: "Carrying: [{#thing# | holds(a:agent, o:object)}]." }],
  "help.feedback": [{ rhs: commandsHelp }],
  "receptacle.view": [
    { condition: "openable(r:receptacle) & opened(r:receptacle)", rhs: `In the open {r.name}: ${contents}.` },
    { condition: "openable(r:receptacle)", rhs: "The {r.name} is closed." },
    { rhs: `On the {r.name}: ${contents}.` }
  ],
  "object.view": [
    {
      condition: "isreceptacleobject(o:object)",
      rhs: "The {o.name} is normal. In it: [{#inner# | inreceptacleobject(i:object, o:object)}]."
    },
    ...objectStates.map(([facts, words]) => ({
      condition: facts.map((fact) => `${fact}(o:object)`).join(" & "),
      rhs: `The {o.name} is ${words}.`
    })),
    { rhs: "The {o.name} is normal." }
  ],
  inner: [{ rhs: "a {i.name}" }],
  "move.feedback": [
    { condition: "openable(r:receptacle)", rhs: "You put the {o.name} in the {r.name}." },
    { rhs: "You put the {o.name} on the {r.name}." }
  ]
}

/** PDDL action, command template, feedback. */
const actions: ReadonlyArray<readonly [action: string, template: string, feedback: string]> = [
  ["look", "look", "#look.feedback#"],
  ["inventory", "inventory", "#inventory.feedback#"],
  ["help", "help", "#help.feedback#"],
  ["examineReceptacle", "examine {r}", "#receptacle.view#"],
  ["examineObject", "examine {o}", "#object.view#"],
  ["GotoLocation", "go to {r}", "You walk up to the {r.name}. #receptacle.view#"],
  ["OpenObject", "open {r}", "You open the {r.name}. #receptacle.view#"],
  ["CloseObject", "close {r}", "You close the {r.name}."],
  ["PickupObject", "take {o} from {r}", "You take the {o.name} from the {r.name}."],
  ["PutObject", "move {o} to {r}", "#move.feedback#"],
  ["CleanObject", "clean {o} with {r}", "You clean the {o.name} at the {r.name}."],
  ["HeatObject", "heat {o} with {r}", "You heat the {o.name} in the {r.name}."],
  ["CoolObject", "cool {o} with {r}", "You cool the {o.name} in the {r.name}."],
  ["ToggleObject", "use {o}", "You switch on the {o.name}."],
  ["SliceObject", "slice {co} with {ko}", "You slice the {co.name} with the {ko.name}."]
]

const actionBlocks = actions
  .map(([action, template, feedback]) =>
    `action ${action} {\n  template :: "${template}";\n  feedback :: "${feedback}";\n}`)
  .join("\n\n")

/** The grammar of a game with a task sentence such as `put a hot cup in cabinet.` */
export const gameGrammar = (taskSentence: string): string => {
  const all = { ...rules, task: [{ rhs: `Your task is to: ${taskSentence}` }] }
  return `grammar :: """\n${JSON.stringify(all, null, 1)}\n""";\n\n${actionBlocks}\n`
}
