"""Plays several games at once against engines, as that many people would, and says how long everything took.

usage: games.py http://127.0.0.1:8765 [GAMES] [SECONDS OF PLAY] [SECONDS A TURN] [ENGINE]

The people do the turns of the engine `greedy`, and look at what the memory knows before each of them.
"""

import json
import sys
import threading
import time
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar


class Person:
    """Somebody with a cookie of their own who plays one game after the other."""

    def __init__(self, base, engine, seconds):
        self.base, self.engine, self.seconds = base, engine, seconds
        jar = urllib.request.HTTPCookieProcessor(CookieJar())
        self.opener = urllib.request.build_opener(jar)
        self.times = {}
        self.turns = self.games = 0
        self.failures = []

    def ask(self, what, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.base}/api/v1/{path}", data)
        if data is not None:
            request.add_header("Content-Type", "application/json")
        started = time.monotonic()
        with self.opener.open(request, timeout=60) as answer:
            text = answer.read().decode()
        self.times.setdefault(what, []).append(time.monotonic() - started)
        return text

    def turn(self, position):
        """What `greedy` would do, from the events of its thinking."""
        position = urllib.parse.quote(position)
        text = self.ask("a turn to play", f"think?position={position}&engine=greedy&nodes=2000")
        decided = text.split("event: decided", 1)[1].split("data: ", 1)[1].split("\n", 1)[0]
        return json.loads(decided)

    def game(self, until):
        start = {"engine": self.engine, "side": "g", "seconds": self.seconds, "name": "load"}
        play = json.loads(self.ask("a new game", "plays", start))
        address = f"plays/{play['id']}"
        while time.monotonic() < until and play["state"] != "over":
            if play["state"] == "failed":
                raise RuntimeError(play.get("error"))
            if play["must_set_up"]:
                setup = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Da2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Dh2"
                play = json.loads(self.ask("our turn sent", f"{address}/setup", {"setup": setup}))
            else:
                self.ask("what the memory knows", "explore?position=" + urllib.parse.quote(play["position"]))
                turn = self.turn(play["position"])["turn"]
                play = json.loads(self.ask("our turn sent", f"{address}/turn", {"turn": turn}))
                self.turns += 1
            sent = time.monotonic()
            while play["state"] == "thinking":
                time.sleep(0.05)
                play = json.loads(self.ask("the game looked at", address))
            self.times.setdefault("the engine's answer", []).append(time.monotonic() - sent)
        if play["state"] != "over":
            self.ask("the game given up", f"{address}/resign", {})
        self.games += 1

    def run(self, until):
        try:
            while time.monotonic() < until:
                self.game(until)
        except Exception as error:  # noqa: BLE001: whatever it is, it is reported.
            detail = error.read().decode() if hasattr(error, "read") else ""
            self.failures.append(f"{error} {detail}")


def main():
    base = sys.argv[1].rstrip("/")
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    length = float(sys.argv[3]) if len(sys.argv) > 3 else 60
    seconds = float(sys.argv[4]) if len(sys.argv) > 4 else 0.5
    engine = sys.argv[5] if len(sys.argv) > 5 else "fairy"
    people = [Person(base, engine, seconds) for _ in range(number)]
    until = time.monotonic() + length
    threads = [threading.Thread(target=person.run, args=(until,)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    turns = sum(person.turns for person in people)
    print(f"{number} people, {sum(p.games for p in people)} games, {turns} turns against {engine}, {seconds} s a turn")
    for what in people[0].times:
        times = sorted(time for person in people for time in person.times.get(what, []))
        at = lambda share: 1000 * times[min(len(times) - 1, int(share * len(times)))]
        print(f"{what:24}{len(times):7} times  median {at(0.5):7.1f} ms  p99 {at(0.99):7.1f} ms  longest {at(1):7.1f} ms")
    failures = [failure for person in people for failure in person.failures]
    print("failures:", failures or "none")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
