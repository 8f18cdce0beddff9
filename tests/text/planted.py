"""Secrets that look real and are none, put together from pieces so that no scanner minds them."""

from __future__ import annotations

import random
import string

WORD = string.ascii_letters + string.digits
WIDE = WORD + "_-"
CAPITAL = string.ascii_uppercase + "234567"
HEX = "0123456789abcdef"


def noise(signs: str, size: int, seed: int = 7) -> str:
    """Random signs, the first of them letters, as no key of a provider starts with a dash."""
    chosen = random.Random(f"{signs}{size}{seed}")
    return "".join(chosen.choices([s for s in signs if s.isalpha()], k=2)) + "".join(
        chosen.choices(signs, k=size - 2)
    )


# Name of the placeholder, beginning in pieces, random part.
KEYS = [
    ("anthropic", "sk-|ant-|api03-", noise(WIDE, 95)),
    ("anthropic", "sk-|ant-|admin01-", noise(WIDE, 95)),
    ("anthropic", "sk-|ant-|oat01-", noise(WIDE, 95)),
    ("anthropic", "sk-|ant-|", noise(WIDE, 40)),
    ("openai", "sk-|proj-|", noise(WIDE, 156)),
    ("openai", "sk-|svcacct-|", noise(WIDE, 156)),
    ("openai", "sk-|admin-|", noise(WIDE, 124)),
    ("openai", "sk-|", noise(WORD, 20) + "T3Blbk" + "FJ" + noise(WORD, 20, 8)),
    ("openai", "sk-|", noise(HEX, 32)),
    ("openrouter", "sk-|or-|v1-", noise(HEX, 64)),
    ("xai", "xai|-", noise(WORD, 80)),
    ("github", "gh|p_", noise(WORD, 36)),
    ("github", "gh|o_", noise(WORD, 36)),
    ("github", "gh|u_", noise(WORD, 36)),
    ("github", "gh|s_", noise(WORD, 36)),
    ("github", "gh|r_", noise(WORD, 76)),
    ("github", "github_|pat_", noise(WORD, 22) + "_" + noise(WORD, 59)),
    ("gitlab", "gl|pat-", noise(WIDE, 20)),
    ("aws", "AK|IA", noise(CAPITAL, 16)),
    ("aws", "AS|IA", noise(CAPITAL, 16)),
    ("google", "AI|za", noise(WIDE, 35)),
    ("google", "ya|29.", noise(WIDE, 120)),
    ("google", "GOC|SPX-", noise(WIDE, 28)),
    ("slack", "xo|xb-", f"{10**11}-{10**12 + 7}-" + noise(WORD, 24)),
    ("slack", "xo|xp-", f"{10**11}-{10**11 + 5}-" + noise(HEX, 32)),
    ("slack", "xo|xa-", "2-" + noise(WORD, 40)),
    ("slack", "xo|xr-", noise(WORD, 40)),
    ("slack", "xo|xs-", noise(WORD, 40)),
    ("slack", "xa|pp-", "1-A" + noise(CAPITAL, 10) + "-" + noise(HEX, 64)),
    ("slack", "hooks.|slack.com/services/", "T" + noise(CAPITAL, 8) + "/B" + noise(WORD, 24)),
    ("npm", "np|m_", noise(WORD, 36)),
    ("pypi", "py|pi-AgEIcHlwaS5vcmc", noise(WIDE, 120)),
    ("huggingface", "h|f_", noise(string.ascii_letters, 34)),
    ("stripe", "sk|_live_", noise(WORD, 24)),
    ("stripe", "rk|_live_", noise(WORD, 24)),
    ("stripe", "sk|_test_", noise(WORD, 99)),
    ("stripe", "wh|sec_", noise(WORD, 32)),
    ("groq", "gs|k_", noise(WORD, 52)),
    ("replicate", "r|8_", noise(WORD, 37)),
    ("sendgrid", "S|G.", noise(WIDE, 22) + "." + noise(WIDE, 43)),
    ("digitalocean", "dop|_v1_", noise(HEX, 64)),
    ("jwt", "ey|J", noise(WIDE, 30) + ".ey" + "J" + noise(WIDE, 80) + "." + noise(WIDE, 43)),
    ("age", "AGE-|SECRET-|KEY-1", noise(CAPITAL, 58)),
]
BODY = [noise(WORD + "+/", 64, seed) for seed in range(4)] + [noise(WORD, 22) + "=="]
DASHES = "-" * 5
