"""Access tokens as an adversary makes them (RFC 7515); the curve P-256 is written out, because the standard library lacks it."""

import base64
import hashlib
import hmac
import json
import secrets
import sqlite3
import time

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
G = (0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
     0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5)


def add(left, right):
    """The sum of two points of the curve; nothing stands for the point at infinity."""
    if left is None or right is None:
        return left or right
    if left[0] == right[0]:
        if (left[1] + right[1]) % P == 0:
            return None
        slope = (3 * left[0] * left[0] - 3) * pow(2 * left[1], -1, P)
    else:
        slope = (right[1] - left[1]) * pow(right[0] - left[0], -1, P)
    x = (slope * slope - left[0] - right[0]) % P
    return x, (slope * (left[0] - x) - left[1]) % P


def multiply(number, point):
    total = None
    while number:
        if number & 1:
            total = add(total, point)
        point, number = add(point, point), number >> 1
    return total


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def written(header, payload, sign):
    signed = encoded(json.dumps(header).encode()) + "." + encoded(json.dumps(payload).encode())
    return signed + "." + encoded(sign(signed.encode()))


def signer(private_key):
    """Signs as ES256 does."""
    def sign(data):
        digest = int.from_bytes(hashlib.sha256(data).digest(), "big")
        nonce = secrets.randbelow(N - 1) + 1
        first = multiply(nonce, G)[0] % N
        second = pow(nonce, -1, N) * (digest + first * private_key) % N
        return first.to_bytes(32, "big") + second.to_bytes(32, "big")
    return sign


def forgeries(token, book, other):
    """Invalid tokens, by what is wrong with them; `token` is a valid token, `other` the key of another account."""
    head, payload, signature = token.split(".")
    header, claims = json.loads(decoded(head)), json.loads(decoded(payload))
    with sqlite3.connect(f"file:{book}/server.sqlite?mode=ro", uri=True) as database:
        kept = database.execute("SELECT private_key FROM signing_keys ORDER BY rowid DESC").fetchone()[0]
    good = signer(int.from_bytes(decoded(kept), "big"))
    own = signer(secrets.randbelow(N - 1) + 1)
    past = {**claims, "exp": int(time.time()) - 1, "iat": int(time.time()) - 3600}
    swapped = encoded(json.dumps({**claims, "sub": other}).encode())
    public = json.dumps(header).encode()
    return {
        "expired": written(header, past, good),
        "of another audience": written(header, {**claims, "aud": "anon"}, good),
        "of another issuer": written(header, {**claims, "iss": "https://example.org/auth/v1"}, good),
        "with another's account": written(header, {**claims, "sub": other}, good),
        "without a session": written(header, {**claims, "session_id": None}, good),
        "with an end that overflows": written(header, {**claims, "exp": 2**63}, good),
        "alg none": written({"alg": "none", "typ": "JWT"}, claims, lambda _: b""),
        "alg None with a kid": written({**header, "alg": "None"}, claims, lambda _: b""),
        "alg none, signed": written({**header, "alg": "none"}, claims, good),
        "alg HS256": written({**header, "alg": "HS256"}, claims, lambda data: hmac.digest(public, data, "sha256")),
        "wrong key": written(header, claims, own),
        "other kid": written({**header, "kid": "another"}, claims, good),
        "no kid": written({"alg": "ES256"}, claims, good),
        "zero signature": head + "." + payload + "." + encoded(bytes(64)),
        "swapped payload": head + "." + swapped + "." + signature,
        "truncated signature": token[:-20],
        "truncated payload": head + "." + payload[:-9] + "." + signature,
        "two parts": head + "." + payload,
        "four parts": token + ".x",
        "nothing but dots": "..",
        "not of base64": "a.b!.c",
        "long": "a" * 20_000,
    }
