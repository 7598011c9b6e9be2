"""Plays exported household games with ALFWorld's own engine and prints what it says, one game a line.

    npx agentopsd games --export games
    pip install alfworld==0.4.2 "textworld[pddl]==1.7.0"
    python test/household/textworld/play.py games > test/household/textworld/traces.jsonl

Python 3.9 to 3.12. Of each split, the first game of every task type is played: its walkthrough, then (after a
reset) 40 seeded commands that try every verb. Lists of admissible commands are recorded as a digest.
"""
import hashlib
import json
import os
import random
import sys

from textworld import EnvInfos
from textworld.envs.pddl import PddlEnv
from alfworld.agents.environment.alfred_tw_env import AlfredDemangler


def digest(lines):
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


def state_of(state):
    return {"says": state.feedback, "admissible": digest(state.admissible_commands), "won": state.won}


def first_games(root):
    for split in ("train", "valid_seen", "valid_unseen"):
        found = set()
        for folder in sorted(os.listdir(os.path.join(root, split))):
            if folder.split("-")[0] in found:
                continue
            found.add(folder.split("-")[0])
            trial = sorted(os.listdir(os.path.join(root, split, folder)))[0]
            yield f"{split}:{folder}/{trial}", os.path.join(root, split, folder, trial, "game.tw-pddl")


def wander(env, state):
    choose, used, steps = random.Random(1), {}, []
    for _ in range(40):
        options = ["dance"] if choose.random() < 0.05 else list(state.admissible_commands)
        rarest = min(used.get(command.split()[0], 0) for command in options)
        rare = [command for command in options if used.get(command.split()[0], 0) == rarest]
        command = choose.choice(rare if choose.random() < 0.6 else options)
        used[command.split()[0]] = used.get(command.split()[0], 0) + 1
        state, _, _ = env.step(command)
        steps.append({"command": command, **state_of(state)})
    return steps


env = AlfredDemangler(shuffle=False)(PddlEnv(EnvInfos(won=True, admissible_commands=True)))
for game, path in first_games(os.path.join(sys.argv[1], "json_2.1.1")):
    with open(path, encoding="ascii") as file:
        text = file.read()
    env.load(path)
    record = {"game": game, "text": digest([text]), "start": state_of(env.reset()), "walkthrough": []}
    for command in json.loads(text)["walkthrough"]:
        record["walkthrough"].append({"command": command, **state_of(env.step(command)[0])})
    record["wandering"] = wander(env, env.reset())
    print(json.dumps(record), flush=True)
