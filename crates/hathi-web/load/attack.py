#!/usr/bin/env python3
"""Attacks a server of its own, on this machine alone, and measures how it bears it.

    crates/hathi-web/load/attack.py target/release/hathi [--store FILE] [--times 300]

Starts `hathi serve` on a free port, with a store of its own unless one is named,
and attacks it from many addresses (127.0.1.1 and up, which only Linux has): board
pictures, exports whose client leaves, searches, engines thinking aloud, games,
tournaments, pasted games, readers who do not read; then a sixth of each, all at
once (beyond 512 connections Hathi turns everybody away with 503).
Meanwhile /api/v1/status is asked five times a second from an address of its own.
Prints a line for each attack: answers by kind, the most memory, threads and
files, the slowest /status, and how long until the server is at rest again: less
than a tenth of a core in use for half a second, threads, files and status as
before.

Ends with 1 if memory reached 1.5 GB, /status took a second, rest took ten, or the
server is gone. Needs Python 3.8 and nothing else.
"""

import argparse
import asyncio
import collections
import http.client
import json
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import time
import urllib.parse

START = "g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]"
LONG = json.dumps({"text": "1g " + "Ra1 " * 200_000})
MOST_MEMORY = 1.5e9
SLOWEST_STATUS = 1.0
LONGEST_REST = 10.0
TICK = os.sysconf("SC_CLK_TCK")


class Process:
    """What the system says about the server."""

    def __init__(self, number):
        self.folder = f"/proc/{number}"

    def memory(self):
        with open(f"{self.folder}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def threads(self):
        return len(os.listdir(f"{self.folder}/task"))

    def files(self):
        return len(os.listdir(f"{self.folder}/fd"))

    def seconds(self):
        with open(f"{self.folder}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICK


def address(number):
    """An address of this machine that nobody else uses."""
    return f"127.{1 + number // 62500 % 200}.{1 + number // 250 % 250}.{1 + number % 250}"


class Site:
    def __init__(self, port, process):
        self.port = port
        self.process = process

    async def ask(self, who, method, path, body=None, read=True, leave=None, headers=""):
        """The status of the answer, or what happened instead of one."""
        target = urllib.parse.quote(path, safe="/?&=:,")
        text = body if isinstance(body, str) else json.dumps(body) if body is not None else ""
        head = f"{method} {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}"
        if method != "GET":
            head += f"Content-Type: application/json\r\nContent-Length: {len(text)}\r\n"
        try:
            reader, writer = await asyncio.wait_for(
                asyncio.open_connection("127.0.0.1", self.port, local_addr=(who, 0)), 30)
        except (OSError, asyncio.TimeoutError):
            return "no connection"
        try:
            writer.write((head + "\r\n" + text).encode())
            await writer.drain()
            if leave is not None:
                await asyncio.sleep(leave)
                return "left"
            line = await asyncio.wait_for(reader.readline(), 60)
            status = line.split(b" ")[1].decode() if b" " in line else "no answer"
            if read:
                while await asyncio.wait_for(reader.read(1 << 16), 60):
                    pass
            return status
        except (OSError, asyncio.TimeoutError, ConnectionError):
            return "no answer"
        finally:
            writer.close()

    async def status(self):
        started = time.monotonic()
        status = await self.ask("127.0.0.1", "GET", "/api/v1/status")
        return status, time.monotonic() - started


class Watcher:
    """Looks at the server while it is attacked, in a process of its own: the
    attacker is too busy to look at a clock."""

    SLOWEST, REFUSED, MEMORY, THREADS, FILES, ENDED = range(6)

    def __init__(self, site):
        self.values = multiprocessing.Array("d", 6)
        self.process = multiprocessing.Process(target=self.run, args=(site.port, site.process), daemon=True)
        self.process.start()

    def run(self, port, process):
        values = self.values
        while not values[self.ENDED]:
            values[self.MEMORY] = max(values[self.MEMORY], process.memory())
            values[self.THREADS] = max(values[self.THREADS], process.threads())
            values[self.FILES] = max(values[self.FILES], process.files())
            started = time.monotonic()
            try:
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
                connection.request("GET", "/api/v1/status")
                answer = connection.getresponse()
                answer.read()
                values[self.REFUSED] += answer.status != 200
                connection.close()
            except (OSError, http.client.HTTPException):
                values[self.REFUSED] += 1
            values[self.SLOWEST] = max(values[self.SLOWEST], time.monotonic() - started)
            time.sleep(0.2)

    def end(self):
        self.values[self.ENDED] = 1
        self.process.join()
        return self.values[:]


async def pictures(site, who, number):
    return await site.ask(who, "GET", f"/api/v1/board.png?position={START}&size=1600")


async def exports(site, who, number):
    return await site.ask(who, "GET", "/api/v1/search/export?pattern=E@near(c3)", leave=random.random() * 0.2)


async def searches(site, who, number):
    side = "gs"[number % 2]
    return await site.ask(
        who, "GET", f"/api/v1/search?pattern=E@near(c3) R@rank({number % 8 + 1}) {side} to move&limit=500")


async def streams(site, who, number):
    return await site.ask(who, "GET", f"/api/v1/think?position={START}&seconds=60&engine=hathi:hash=128", leave=4)


async def reviews(site, who, number):
    return await site.ask(who, "GET", f"/api/v1/games/sample:{number % 300 + 1}/review?seconds=5", leave=4)


async def plays(site, who, number):
    # The engine is to move at once.
    terms = {"engine": "hathi", "side": "s", "seconds": 60, "position": START}
    return await site.ask(who, "POST", "/api/v1/plays", terms)


async def arenas(site, who, number):
    settings = {"players": ["hathi", "fairy"], "games": 100, "seconds": 1, "concurrency": 2}
    status = await site.ask(who, "POST", "/api/v1/arenas", settings)
    return status


async def pasted(site, who, number):
    return await site.ask(who, "POST", "/api/v1/read", LONG)


async def unread(site, who, number):
    """Asks for much and reads nothing for a while."""
    return await site.ask(who, "GET", "/api/v1/search/export?pattern=E@near(c3)", read=False, leave=3)


ATTACKS = [pictures, exports, searches, streams, reviews, plays, arenas, pasted, unread]


async def stop_arenas(site):
    """What the local user does about a tournament that a stranger has started."""
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    writer.write(b"GET /api/v1/arenas HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    text = (await reader.read()).partition(b"\r\n\r\n")[2]
    writer.close()
    for arena in json.loads(text[text.index(b"{"):text.rindex(b"}") + 1])["arenas"]:
        if arena["state"] == "running":
            await site.ask("127.0.0.1", "POST", f"/api/v1/arenas/{arena['id']}/stop", {})


async def rest(site, before):
    """Seconds until the server is as it was."""
    started = time.monotonic()
    while time.monotonic() - started < 3 * LONGEST_REST:
        used = site.process.seconds()
        await asyncio.sleep(0.5)
        idle = site.process.seconds() - used < 0.05
        _, took = await site.status()
        calm = site.process.threads() <= before[0] + 8 and site.process.files() <= before[1] + 16
        if idle and calm and took < 0.2:
            break
    return time.monotonic() - started


async def measure(site, times):
    await site.status()
    await asyncio.sleep(1)
    before = (site.process.threads(), site.process.files())
    print(f"at rest: {site.process.memory() / 1e6:.0f} MB, {before[0]} threads, {before[1]} files")
    print(f"{'attack':<10} {'asked':>6} {'MB':>6} {'threads':>8} {'files':>6} {'status':>8} {'rest':>7}  answers")
    fine = True
    counter = 0
    for attack in [*ATTACKS, None]:
        watcher = Watcher(site)
        asked = []
        for one in [attack] if attack else ATTACKS:
            for number in range(times if attack else times // 6):
                counter += 1
                asked.append(one(site, address(counter), number))
        random.Random(1).shuffle(asked)
        answers = collections.Counter(await asyncio.gather(*asked))
        if attack in (arenas, None):
            await stop_arenas(site)
        took = await rest(site, before)
        slowest, refused, memory, threads, files, _ = watcher.end()
        name = attack.__name__ if attack else "all"
        print(f"{name:<10} {len(asked):>6} {memory / 1e6:>6.0f} {threads:>8.0f} {files:>6.0f} "
              f"{slowest * 1000:>5.0f} ms {took:>5.1f} s  "
              + ", ".join(f"{kind}: {count}" for kind, count in sorted(answers.items())), flush=True)
        if refused:
            print(f"  /status was refused {refused:.0f} times")
        fine &= memory < MOST_MEMORY and slowest < SLOWEST_STATUS and took < LONGEST_REST and refused == 0
    print(f"at rest: {site.process.memory() / 1e6:.0f} MB")
    return fine


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hathi", help="the program")
    parser.add_argument("--store", help="a store to serve; by default a new one with the sample games")
    parser.add_argument("--times", type=int, default=300, help="requests of each attack")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="hathi-attack-") as folder:
        store = args.store or os.path.join(folder, "games.db")
        server = subprocess.Popen([args.hathi, "serve", "--port", "0", "--store", store],
                                  stdout=subprocess.PIPE, text=True)
        try:
            line = server.stdout.readline()
            port = int(line.rsplit(":", 1)[1].strip().strip("/"))
            fine = asyncio.run(measure(Site(port, Process(server.pid)), args.times))
            if server.poll() is not None:
                print("the server is gone")
                fine = False
        finally:
            server.terminate()
            server.wait(timeout=30)
    print("borne" if fine else "too much")
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
