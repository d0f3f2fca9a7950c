"""Writes addresses of explorer steps: every position of the newest games.

usage: addresses.py http://127.0.0.1:8765 [GAMES] > addresses.txt
"""

import json
import sys
import urllib.parse
import urllib.request


def ask(base, path):
    with urllib.request.urlopen(f"{base}/api/v1/{path}") as answer:
        return json.load(answer)


def main():
    base = sys.argv[1].rstrip("/")
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    page = ask(base, f"games?limit={min(games, 500)}")
    listed = page["games"]
    while len(listed) < games and page["next"]:
        page = ask(base, f"games?limit=500&after={page['next']}")
        listed += page["games"]
    for game in listed[:games]:
        game = ask(base, f"games/{game['id']}")
        positions = [game["start"]] + [move["position"] for move in game["moves"]]
        for position in filter(None, positions[:-1]):
            print("/api/v1/explore?position=" + urllib.parse.quote(position))


main()
