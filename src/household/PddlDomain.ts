/**
 * The rules of the household games as a PDDL domain. One player, one pair of hands: an action per command of
 * ALFWorld's language, with ALFWorld's predicates and their meaning, so that a policy finds the same commands
 * admissible in the same situations. Constants named here (`SinkBasinType`, …) are declared by every problem.
 */
export const pddlDomain = `; Household games: one player who fetches, treats and puts away things in one room.
(define (domain household)
(:requirements :adl :typing)
(:types agent location receptacle object rtype otype)

(:predicates
  ; where things are
  (atLocation ?a - agent ?l - location)
  (receptacleAtLocation ?r - receptacle ?l - location)
  (objectAtLocation ?o - object ?l - location)
  (inReceptacle ?o - object ?r - receptacle)
  (inReceptacleObject ?inner - object ?outer - object)
  (holds ?a - agent ?o - object)
  (holdsAny ?a - agent)
  ; kinds, and what goes where
  (receptacleType ?r - receptacle ?rt - rtype)
  (objectType ?o - object ?ot - otype)
  (canContain ?rt - rtype ?ot - otype)
  ; what can be done with a thing
  (openable ?r - receptacle)
  (pickupable ?o - object)
  (isReceptacleObject ?o - object)
  (cleanable ?o - object)
  (heatable ?o - object)
  (coolable ?o - object)
  (sliceable ?o - object)
  (toggleable ?o - object)
  ; what has been done with it
  (opened ?r - receptacle)
  (isClean ?o - object)
  (isHot ?o - object)
  (isCool ?o - object)
  (isSliced ?o - object)
  (isToggled ?o - object)
  ; set by actions that only tell something: an action needs an effect
  (checked ?x)
)

; Looking and asking

(:action look
  :parameters (?a - agent ?l - location)
  :precondition (and (atLocation ?a ?l))
  :effect (and (checked ?l))
)

(:action inventory
  :parameters (?a - agent)
  :precondition ()
  :effect (and (checked ?a))
)

(:action help
  :parameters (?a - agent)
  :precondition ()
  :effect (and (checked ?a))
)

(:action examineReceptacle
  :parameters (?a - agent ?r - receptacle)
  :precondition (and
    (exists (?l - location)
      (and (atLocation ?a ?l) (receptacleAtLocation ?r ?l))))
  :effect (and (checked ?r))
)

(:action examineObject
  :parameters (?a - agent ?o - object)
  :precondition (and (holds ?a ?o))
  :effect (and (checked ?o))
)

; Moving about

(:action GotoLocation
  :parameters (?a - agent ?lStart - location ?lEnd - location ?r - receptacle)
  :precondition (and (atLocation ?a ?lStart) (receptacleAtLocation ?r ?lEnd))
  :effect (and (not (atLocation ?a ?lStart)) (atLocation ?a ?lEnd))
)

; Receptacles

(:action OpenObject
  :parameters (?a - agent ?l - location ?r - receptacle)
  :precondition (and
    (atLocation ?a ?l)
    (receptacleAtLocation ?r ?l)
    (openable ?r)
    (not (opened ?r)))
  :effect (and (opened ?r) (checked ?r))
)

(:action CloseObject
  :parameters (?a - agent ?l - location ?r - receptacle)
  :precondition (and
    (atLocation ?a ?l)
    (receptacleAtLocation ?r ?l)
    (openable ?r)
    (opened ?r))
  :effect (and (not (opened ?r)))
)

; Taking and putting away: what cannot be opened is as good as open

(:action PickupObject
  :parameters (?a - agent ?l - location ?o - object ?r - receptacle)
  :precondition (and
    (atLocation ?a ?l)
    (receptacleAtLocation ?r ?l)
    (or (not (openable ?r)) (opened ?r))
    (inReceptacle ?o ?r)
    (pickupable ?o)
    (not (holdsAny ?a)))
  :effect (and
    (holds ?a ?o)
    (holdsAny ?a)
    (not (inReceptacle ?o ?r))
    (not (objectAtLocation ?o ?l)))
)

(:action PutObject
  :parameters (?a - agent ?l - location ?o - object ?r - receptacle ?ot - otype ?rt - rtype)
  :precondition (and
    (atLocation ?a ?l)
    (receptacleAtLocation ?r ?l)
    (or (not (openable ?r)) (opened ?r))
    (holds ?a ?o)
    (objectType ?o ?ot)
    (receptacleType ?r ?rt)
    (canContain ?rt ?ot))
  :effect (and
    (inReceptacle ?o ?r)
    (objectAtLocation ?o ?l)
    (not (holds ?a ?o))
    (not (holdsAny ?a)))
)

; Treating what is in hand

(:action CleanObject
  :parameters (?a - agent ?l - location ?r - receptacle ?o - object)
  :precondition (and
    (atLocation ?a ?l)
    (receptacleAtLocation ?r ?l)
    (receptacleType ?r SinkBasinType)
    (holds ?a ?o)
    (cleanable ?o))
  :effect (and (isClean ?o))
)

(:action HeatObject
  :parameters (?a - agent ?l - location ?r - receptacle ?o - object)
  :precondition (and
    (atLocation ?a ?l)
    (receptacleAtLocation ?r ?l)
    (receptacleType ?r MicrowaveType)
    (holds ?a ?o)
    (heatable ?o))
  :effect (and (isHot ?o) (not (isCool ?o)))
)

(:action CoolObject
  :parameters (?a - agent ?l - location ?r - receptacle ?o - object)
  :precondition (and
    (atLocation ?a ?l)
    (receptacleAtLocation ?r ?l)
    (receptacleType ?r FridgeType)
    (holds ?a ?o)
    (coolable ?o))
  :effect (and (isCool ?o) (not (isHot ?o)))
)

; Lamps and knives

(:action ToggleObject
  :parameters (?a - agent ?l - location ?o - object ?r - receptacle)
  :precondition (and
    (atLocation ?a ?l)
    (receptacleAtLocation ?r ?l)
    (inReceptacle ?o ?r)
    (toggleable ?o))
  :effect (and (isToggled ?o))
)

(:action SliceObject
  :parameters (?a - agent ?l - location ?co - object ?ko - object)
  :precondition (and
    (atLocation ?a ?l)
    (objectAtLocation ?co ?l)
    (sliceable ?co)
    (holds ?a ?ko)
    (or (objectType ?ko KnifeType) (objectType ?ko ButterKnifeType)))
  :effect (and (isSliced ?co))
)
)
`

/** Types that the domain's actions name; a problem must declare them even where it has nothing of the kind. */
export const domainTypes = {
  receptacle: ["SinkBasin", "Microwave", "Fridge"],
  object: ["Knife", "ButterKnife"]
} as const
