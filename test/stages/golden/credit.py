"""Golden vectors of the credit formulas, from the paper's definitions and nothing of this project.

Run `python3 credit.py > credit.json`. Formulas are evaluated naively in exact rational or 50-digit decimal arithmetic,
so that an error of the float implementation shows.
"""
import json
import random
from decimal import Decimal, getcontext

getcontext().prec = 60


def sigmoid(x):
    return Decimal(1) / (Decimal(1) + (-x).exp())


def moments(values):
    mean = sum(values) / len(values)
    return mean, (sum((v - mean) ** 2 for v in values) / len(values)).sqrt()


def clip(v, low, high):
    return min(max(v, low), high)


def group(rewards, evidence, gamma, lam, bound, eps):
    gamma, lam, bound, eps = (Decimal(str(v)) for v in (gamma, lam, bound, eps))
    r = [Decimal(v) for v in rewards]
    mean, std = moments(r)
    prior = clip(sum(r) / len(r), eps, 1 - eps)
    out = []
    for reward, es in zip(r, evidence):
        advantage = (reward - mean) / (std + eps)
        logit0 = (prior / (1 - prior)).ln()
        c, last = Decimal(0), prior
        beliefs, changes = [], []
        for e in es:
            c = gamma * c + Decimal(repr(e))
            b = sigmoid(logit0 + c)
            beliefs.append(b)
            changes.append(b - last)
            last = b
        sign = 1 if advantage > 0 else -1
        q = [sign * d for d in changes]
        mu, sigma = moments(q)
        w = [clip(1 + bound * (v - mu) / (sigma + eps), 1 - bound, 1 + bound) for v in q]
        out.append({
            "advantage": float(advantage),
            "prior": float(prior),
            "beliefs": [float(b) for b in beliefs],
            "changes": [float(d) for d in changes],
            "weights": [float(v) for v in w],
            "advantages": [float(advantage * ((1 - lam) + lam * v)) for v in w],
        })
    return out


def main():
    draw = random.Random(20260806)
    cases = []
    for scale in (0.3, 3.0, 40.0):
        for gamma, lam, bound, eps in ((0.95, 0.5, 0.2, 1e-4), (0.95, 0.5, 0.2, 1e-6), (0.5, 1.0, 0.5, 1e-4), (1.0, 0.5, 0.2, 1e-4)):
            size = draw.choice((2, 4, 8))
            wins = draw.randint(1, size - 1)
            rewards = [1] * wins + [0] * (size - wins)
            evidence = [[draw.uniform(-scale, scale) for _ in range(draw.randint(2, 12))] for _ in rewards]
            cases.append({"gamma": gamma, "lambda": lam, "bound": bound, "epsilon": eps, "rewards": rewards,
                          "evidence": evidence, "expected": group(rewards, evidence, gamma, lam, bound, eps)})
    drift = {"gamma": 0.95, "lambda": 0.5, "bound": 0.2, "epsilon": 1e-4, "rewards": [1, 0], "evidence": [[-3.0] * 6] * 2}
    drift["expected"] = group(drift["rewards"], drift["evidence"], 0.95, 0.5, 0.2, 1e-4)
    print(json.dumps({"cases": cases + [drift]}, indent=1))


main()
