"""Hathi from Python: what the layer itself can get wrong. That the answers are right is
tested in Rust; here that they arrive, as what the stubs say, and that errors, threads
and Ctrl-C do what Python's users expect."""

import copy
import doctest
import importlib.util
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import hathi

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SAMPLES = ROOT / "crates" / "hathi-web" / "samples" / "games.txt.zst"
GOLD = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2"
SILVER = "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7"
START = hathi.Position.of_setups(GOLD, SILVER)


class Positions(unittest.TestCase):
    def test_text_there_and_back(self):
        self.assertEqual(hathi.Position(str(START)), START)
        self.assertEqual(hathi.Position(START.draw()), START)
        self.assertEqual(eval(repr(START), {"Position": hathi.Position}), START)
        self.assertEqual(pickle.loads(pickle.dumps(START)), START)
        self.assertEqual(len({START, hathi.Position(str(START))}), 1)
        self.assertEqual(hathi.Position(str(START)[2:], side="s"), START.other_side())

    def test_text_that_is_no_position(self):
        for text in ["", "g", "g [x]", "\0", "x" * 10_000, "g [" + "Q" * 64 + "]"]:
            with self.assertRaises(hathi.ParseError):
                hathi.Position(text)
        with self.assertRaises(ValueError):
            hathi.Position(str(START), side="white")
        with self.assertRaises(TypeError):
            hathi.Position(3)

    def test_turns(self):
        turns = START.turns()
        self.assertEqual(len(turns), START.count_turns())
        self.assertEqual(len({START.play(turn) for turn in turns[:500]}), 500)
        self.assertEqual(START.turns(limit=3), turns[:3])
        few = hathi.Position("s [................................................r..............R]")
        sequences = few.count_turns(distinct=False)
        self.assertGreater(sequences, few.count_turns())
        self.assertEqual(few.count_turns(), 8)

    def test_steps_make_a_turn(self):
        inside = START.step("Ee2n").step("Ee3n")
        self.assertEqual((inside.side, inside.steps_left), ("g", 2))
        self.assertEqual(inside.end_turn(), START.play("Ee2n Ee3n"))
        self.assertIn("Ee4n", inside.steps())
        for nonsense in [START.end_turn, lambda: START.step("Ee2s"), lambda: pickle.dumps(inside)]:
            with self.assertRaises(ValueError):
                nonsense()

    def test_what_is_not_allowed_says_why(self):
        with self.assertRaisesRegex(hathi.IllegalMove, "Ra1"):
            START.play("Ra1s")
        with self.assertRaises(hathi.ParseError):
            START.play("castle")

    def test_symmetries(self):
        self.assertEqual(START.flipped().side, "s")
        for image in [hathi.Position.mirrored, hathi.Position.flipped]:
            self.assertEqual(image(image(START)), START)
            self.assertEqual(image(START).count_turns(), START.count_turns())

    def test_captures_and_goal(self):
        board = "g [................................................................]"
        squares = list(board)
        for piece, square in {"h": "c4", "E": "b3", "R": "h5"}.items():
            squares[3 + (8 - int(square[1])) * 8 + "abcdefgh".index(square[0])] = piece
        position = hathi.Position("".join(squares))
        (capture,) = position.captures()
        self.assertEqual((capture["piece"], capture["square"], capture["trap"]), ("h", "c4", "c3"))
        self.assertEqual(position.check("Eb3n hc4s Eb4e"), capture["turn"])
        self.assertEqual(position.goal(), "Rh5n Rh6n Rh7n")
        self.assertIsNone(START.goal())
        self.assertEqual(position.pieces(), {"b3": "E", "c4": "h", "h5": "R"})
        self.assertEqual(position.frozen(), [])
        held = position.play("Eb3n")
        self.assertEqual((held.frozen(), held.frozen("g")), (["c4"], []))

    def test_arrays(self):
        squares = START.squares()
        self.assertEqual((squares.typecode, list(squares[8:16])), ("b", [4, 3, 2, 5, 6, 2, 3, 4]))
        self.assertEqual(squares[-1], -1)
        self.assertEqual(memoryview(START.planes()).nbytes, 32)
        gold, silver = START.network_inputs()
        rows, _ = hathi.Network().shape
        self.assertEqual(len(gold), len(silver))
        self.assertTrue(all(row < rows for row in gold))
        # A board and its colour flip are the same to who is on move.
        turned_gold, turned_silver = START.flipped().network_inputs()
        self.assertEqual((sorted(gold), sorted(silver)), (sorted(turned_silver), sorted(turned_gold)))
        self.assertTrue(START.features() and START.features("Ee2n Ee3n"))

    def test_worth(self):
        position = START.play("Ee2n Ee3n Ee4n")
        self.assertEqual(position.evaluate()["network"], hathi.Network().evaluate(position))
        self.assertEqual(
            hathi.Network().evaluate(position), -hathi.Network().evaluate(position.flipped())
        )


class Games(unittest.TestCase):
    def game(self):
        game = hathi.Game()
        self.assertEqual(game.must_set_up, "g")
        game.set_up(GOLD)
        game.set_up(SILVER)
        return game

    def test_a_game(self):
        game = self.game()
        self.assertIsNone(game.play("Ee2n Ee3n"))
        self.assertEqual((game.side, len(game), game.next_label), ("s", 1, "2s"))
        self.assertEqual(game.positions, [START, START.play("Ee2n Ee3n")])
        self.assertEqual(game.moves[2], ("2g", "Ee2n Ee3n"))
        again = hathi.Game.parse(str(game))
        self.assertEqual(again.positions, game.positions)
        self.assertEqual(hathi.Game.parse(game.notation()).positions, game.positions)
        other = copy.copy(game)
        self.assertTrue(other.take_back())
        self.assertEqual((len(other), len(game)), (0, 1))

    def test_what_cannot_be(self):
        game = self.game()
        with self.assertRaises(hathi.IllegalMove):
            game.set_up(GOLD)
        with self.assertRaises(hathi.IllegalMove):
            game.play("ed7s")
        with self.assertRaisesRegex(hathi.IllegalMove, "2g"):
            hathi.Game.parse(f"1g {GOLD}\n1s {SILVER}\n2g Ra1s")
        with self.assertRaises(ValueError):
            hathi.Game("chess")
        self.assertEqual(len(game), 0)

    def test_resignation_and_rows(self):
        game = hathi.Game.parse(f"1g {GOLD}\n1s {SILVER}\n2g Ee2n\n2s resigns")
        self.assertEqual(game.result["winner"], "g")
        row = game.archive_row(7)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "one.txt"
            self.assertEqual(hathi.Game.parse(game.notation()).result, game.result)
            file.write_text(game.notation())
            (read,) = hathi.read_archive(file)
            self.assertEqual(read.positions, game.positions)
        self.assertTrue(row.startswith("7\t"))
        self.assertIn("2w Ee2n", row)

    def test_archives(self):
        games = list(hathi.read_archive(SAMPLES))
        self.assertGreater(len(games), 50)
        for game in games:
            self.assertEqual(len(game.positions), len(game) + 1)
            position = game.positions[0]
            for turn, after in zip(game.turns, game.positions[1:]):
                position = position.play(turn)
                self.assertEqual(position, after)
        self.assertEqual(games[0].info["turns"], len(games[0]))
        # Half of it is as good: the rest is not waited for.
        some = hathi.read_archive([SAMPLES], threads=1)
        self.assertEqual(next(some).info, games[0].info)
        del some

    def test_files_that_are_none(self):
        with self.assertRaises(hathi.ParseError):
            list(hathi.read_archive("/does/not/exist"))
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"\0\1\2 nonsense")
            file.flush()
            with self.assertRaises(hathi.ParseError):
                list(hathi.read_archive(file.name))


class Stores(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name) / "games.db"
        cls.store = hathi.Store(cls.path, create=True)
        cls.imported = cls.store.import_archive(SAMPLES)

    @classmethod
    def tearDownClass(cls):
        cls.store.close()
        cls.folder.cleanup()

    def test_import_again_adds_nothing(self):
        again = self.store.import_archive(SAMPLES)
        self.assertEqual((again["stored"], again["duplicates"]), (0, self.imported["stored"]))
        self.assertEqual(self.store.totals()["games"], self.imported["stored"])
        self.assertEqual(self.store.count(), self.imported["stored"])

    def test_games(self):
        (first, *_) = self.store.games(limit=5)
        game = self.store.game(first["id"])
        self.assertEqual(len(game), first["turns"])
        self.assertEqual(game.info, first)
        self.assertIsNone(self.store.game("arimaa:999999"))
        with self.assertRaises(hathi.ParseError):
            self.store.game("one")

    def test_positions_are_found_again(self):
        games = [self.store.game(info["id"]) for info in self.store.games(limit=20)]
        for game in games:
            position, turn = game.positions[6], game.turns[6]
            found = self.store.find(position, literal=True, limit=None)
            self.assertIn(turn, [played["turn"] for played in found["turns"]])
            turned = self.store.find(position.mirrored(), limit=None)
            self.assertGreaterEqual(turned["hits"], found["hits"])
            self.assertEqual(self.store.explore(position, literal=True)["hits"], found["hits"])

    def test_patterns_find_what_positions_say(self):
        found = self.store.search("frozen(M)", limit=None)
        self.assertEqual(found["hits"], len(found["best"]))
        self.assertTrue(found["best"])
        for hit in found["best"]:
            position = hathi.Position(hit["position"])
            camel = next(s for s, piece in position.pieces().items() if piece == "M")
            self.assertIn(camel, position.frozen("g"))
        one = self.store.search("pattern=frozen(M)&limit=1")
        self.assertEqual((one["hits"], len(one["best"])), (found["hits"], 1))
        stretch = self.store.search("hostage(m by E) for 3 turns", limit=1)["best"][0]
        self.assertEqual(len(stretch["turns"]), 3)

    def test_filters(self):
        total = self.store.count()
        self.assertEqual(
            total, self.store.count(result="g") + self.store.count(result="s")
            + sum(1 for game in self.store.games(limit=None) if game["result"] is None)
        )
        self.assertEqual(self.store.count(from_="1990", to="1991"), 0)
        self.assertLessEqual(self.store.count(min_rating=2000, rated=True), total)
        sources = [source["source"] for source in self.store.sources()["sources"]]
        self.assertEqual(self.store.count(source=sources), total)
        self.assertEqual(self.store.count(source=["arimaa", "file"]), 0)
        for wrong in [{"strength": 3}, {"min_rating": "high"}, {"who": "cats"}]:
            with self.assertRaises(hathi.ParseError):
                self.store.count(**wrong)
        with self.assertRaises(TypeError):
            self.store.count(min_rating=object())

    def test_errors_mark_the_place(self):
        with self.assertRaises(hathi.ParseError) as caught:
            self.store.search("Ed5 hostge(m)")
        self.assertIn("hostage", str(caught.exception))
        self.assertIn("^", str(caught.exception))
        with self.assertRaises(hathi.ParseError):
            self.store.find(START, kind="quarter")

    def test_motifs(self):
        (motif,) = self.store.motifs(["camel-hostage"], examples=1)
        self.assertGreater(motif["games"], 0)
        tags = self.store.motifs_of_game(motif["examples"][0]["game"])
        self.assertIn("camel-hostage", [tag["id"] for tag in tags])
        own = pathlib.Path(self.folder.name) / "motifs"
        own.mkdir()
        (own / "high.motif").write_text("High elephant\n\nIt has gone far.\n\npattern: E@rank(6..8)\n")
        (high,) = self.store.motifs(["high"], folder=own)
        self.assertEqual(high["positions"], self.store.search("E@rank(6..8)")["hits"])
        with self.assertRaises(hathi.ParseError):
            self.store.motifs(["no-such-motif"])

    def test_setups(self):
        setups = self.store.setups("g", limit=None)
        self.assertEqual(sum(setup["games"] for setup in setups["setups"]), setups["games"])
        replies = self.store.setups(reply_to=setups["setups"][0]["setup"])
        self.assertEqual(replies["side"], "s")

    def test_tables(self):
        import duckdb
        import pyarrow

        games = pyarrow.table(self.store.games_table())
        self.assertEqual(games.num_rows, self.store.totals()["games"])
        positions = self.store.positions_table()
        self.assertEqual(pyarrow.table(positions).num_rows, self.store.totals()["positions"])
        # As often as you like.
        reader = pyarrow.RecordBatchReader.from_stream(positions)
        counted = duckdb.sql("SELECT count(*), count(DISTINCT store_id) FROM reader").fetchall()
        self.assertEqual(counted, [(self.store.totals()["positions"], games.num_rows)])
        hits = self.store.search_table("frozen(M)")
        self.assertEqual(len(hits), self.store.search("frozen(M)")["hits"])
        table = pyarrow.table(hits)
        self.assertEqual(table.column_names, hits.column_names)
        best = self.store.search("frozen(M)", limit=1)["best"][0]
        row = table.slice(0, 1).to_pylist()[0]
        self.assertEqual({name: row[name] for name in ["game", "move", "turn"]},
                         {name: best[name] for name in ["game", "move", "turn"]})
        setups = pyarrow.table(self.store.setups_table()).to_pylist()
        self.assertEqual(setups[0]["setup"], self.store.setups(limit=1)["setups"][0]["setup"])
        played = pyarrow.table(self.store.find_table(START, kind="half")).to_pylist()
        self.assertEqual(len(played), self.store.find(START, kind="half")["different_turns"])

    @unittest.skipUnless(importlib.util.find_spec("polars"), "polars is not installed")
    def test_tables_for_polars(self):
        import polars

        games = polars.DataFrame(self.store.games_table())
        self.assertEqual(games.height, self.store.totals()["games"])
        hits = self.store.search_table("frozen(M)")
        frame = polars.DataFrame(hits)
        self.assertEqual((frame.height, frame.columns), (len(hits), hits.column_names))
        best = self.store.search("frozen(M)", limit=1)["best"][0]
        self.assertEqual((frame["game"][0], frame["turn"][0]), (best["game"], best["turn"]))

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is not installed")
    def test_tables_for_pandas(self):
        import pandas
        import pyarrow

        # Since version 3 pandas takes them itself; before that pyarrow hands them over.
        from_arrow = getattr(pandas.DataFrame, "from_arrow", lambda table: pyarrow.table(table).to_pandas())
        games = from_arrow(self.store.games_table())
        self.assertEqual(len(games), self.store.totals()["games"])
        hits = self.store.search_table("frozen(M)")
        frame = from_arrow(hits)
        self.assertEqual((len(frame), list(frame.columns)), (len(hits), hits.column_names))
        best = self.store.search("frozen(M)", limit=1)["best"][0]
        self.assertEqual((frame["game"][0], frame["turn"][0]), (best["game"], best["turn"]))

    def test_a_table_outlives_its_store(self):
        import pyarrow

        with hathi.Store(self.path) as store:
            table = store.search_table("frozen(M)")
            stream = store.games_table()
        self.assertEqual(pyarrow.table(table).num_rows, len(table))
        with self.assertRaisesRegex(Exception, "closed"):
            pyarrow.table(stream)
        with self.assertRaisesRegex(hathi.StoreError, "closed"):
            store.totals()

    def test_a_game_is_added_and_found(self):
        with tempfile.TemporaryDirectory() as folder:
            with hathi.Store(os.path.join(folder, "own.db"), create=True) as store:
                game = hathi.Game.parse(f"1g {GOLD}\n1s {SILVER}\n2g Ee2n Ee3n\n2s resigns")
                known_by = store.add(game)
                self.assertEqual(store.game(known_by).positions, game.positions)
                self.assertEqual(store.find(START)["turns"][0]["turn"], "Ee2n Ee3n")
                with self.assertRaises(hathi.StoreError):
                    store.add(hathi.Game.from_position(START))

    def test_places_that_are_no_store(self):
        with self.assertRaisesRegex(hathi.StoreError, "no store"):
            hathi.Store("/does/not/exist.db")
        with self.assertRaises(hathi.StoreError):
            hathi.Store(SAMPLES)

    def test_many_threads_ask(self):
        answers = []
        threads = [
            threading.Thread(target=lambda: answers.append(self.store.search("frozen(M)")["hits"]))
            for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(set(answers)), 1)


class Engines(unittest.TestCase):
    def test_the_same_nodes_the_same_answer(self):
        with hathi.Engine() as one, hathi.Engine("hathi", seed=1) as two:
            first = one.analyse(START, nodes=3000, lines=2)
            second = two.analyse(hathi.Game.from_position(START), nodes=3000, lines=2)
        self.assertEqual([line["turn"] for line in first["lines"]],
                         [line["turn"] for line in second["lines"]])
        self.assertEqual(len(first["lines"]), 2)
        for line in first["lines"]:
            START.play(line["turn"])
        with self.assertRaisesRegex(hathi.EngineError, "closed"):
            one.analyse(START, nodes=10)

    def test_a_turn_to_value_and_steps_taken(self):
        with hathi.Engine() as engine:
            also = engine.analyse(START, nodes=2000, also="Ha2n")["also"]
            self.assertEqual(also["turn"], "Ha2n")
            line = engine.analyse(START, nodes=2000, steps="Ee2n")["lines"][0]
        self.assertTrue(line["turn"].startswith("Ee2n"))

    def test_a_game_between_two(self):
        game = hathi.Game()
        with hathi.Engine("random") as random, hathi.Engine("level-1") as level:
            for _ in range(4):
                random.play(game, nodes=10)
                level.play(game)
        self.assertEqual(len(game), 6)
        with hathi.Engine("greedy") as greedy:
            chosen = greedy.play(START, depth=1)
        self.assertFalse(chosen["setup"])
        START.play(chosen["choice"])

    def test_what_cannot_be(self):
        for wrong in ["nobody", "hathi:depth", "hathi:sparkle=1"]:
            with self.assertRaises(hathi.ParseError):
                hathi.Engine(wrong)
        with hathi.Engine("random") as random, self.assertRaises(hathi.EngineError):
            random.analyse(START, nodes=10)
        with hathi.Engine() as engine:
            for arguments in [{"lines": 0}, {"time": -1.0}, {"time": float("nan")}, {"steps": "x"}]:
                with self.assertRaises(ValueError):
                    engine.analyse(START, **arguments)
            with self.assertRaises(hathi.EngineError):
                engine.analyse(hathi.Game(), nodes=10)

    def test_other_threads_run_while_it_thinks(self):
        with hathi.Engine() as engine:
            thread = threading.Thread(target=lambda: engine.analyse(START, nodes=200_000))
            thread.start()
            ticks = 0
            while thread.is_alive():
                ticks += 1
                time.sleep(0)
        self.assertGreater(ticks, 10)

    def test_ctrl_c_ends_the_thinking(self):
        code = (
            "import hathi, signal\n"
            # Who runs the tests in the background has it ignored.
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
            "engine = hathi.Engine()\n"
            "print('thinks', flush=True)\n"
            "try:\n"
            f"    engine.analyse(hathi.Position({str(START)!r}), time=600)\n"
            "except KeyboardInterrupt:\n"
            "    print('stopped', engine.analyse(hathi.Position("
            f"{str(START)!r}), nodes=500)['nodes'] > 0)\n"
        )
        process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline(), "thinks\n")
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=120)
        self.assertEqual(out, "stopped True\n")

    def test_there_are_engines(self):
        names = [name for name, _ in hathi.engines()]
        self.assertIn("hathi", names)
        self.assertIn("level-10", names)


class Models(unittest.TestCase):
    def test_a_board_by_the_numbers(self):
        # What the arrays say, worked out the long way, is what the network says.
        network = hathi.Network()
        (_, units), second = network.shape, network.second_units
        first, direct, weights = network.rows, network.direct, network.second
        bias, second_bias = network.bias, network.second_bias
        for position in (START, START.play("Ee2n Ee3n Ee4n")):
            views, sums = [], []
            inputs = position.network_inputs()
            for rows_seen in inputs if position.side == "g" else reversed(inputs):
                total = list(bias)
                for row in rows_seen:
                    for unit in range(units):
                        total[unit] += first[row * units + unit]
                views.append([min(max(value, 0), 255) for value in total])
                sums.append(sum(direct[row] for row in rows_seen))
            own, other = views
            bucket = 0
            out = network.out[bucket * units:][:units]
            # With a whole turn left: the last of the four.
            gain = network.gain[(3 * network.buckets + bucket) * 2 * units:][:2 * units]
            seen = [[value * value >> 8 for value in view] for view in views]
            deeper = []
            for sign in (1, -1):
                layer = []
                for unit in range(second):
                    alike = unlike = 0
                    for index in range(units):
                        place = index // 2 * 2 * second + 2 * unit + index % 2
                        alike += weights[place] * (seen[0][index] + seen[1][index])
                        unlike += weights[units * second + place] * (seen[0][index] - seen[1][index])
                    value = second_bias[unit] + (alike + sign * unlike) // 2
                    layer.append(min(max(value, 0), 254 * 256))
                deeper.append(layer)

            def counted(view, weights):
                return sum(value * value * weight for value, weight in zip(view, weights))

            def further(layer, weights):
                return sum(value * weight for value, weight in zip(layer, weights))

            second_out = network.second_out[bucket * second:][:second]
            second_gain = network.second_gain[(3 * network.buckets + bucket) * 2 * second:][:2 * second]
            worth = (counted(own, out) - counted(other, out)
                     + counted(own, gain[:units]) + counted(other, gain[units:])) * 400 / (255 * 255 * 64)
            worth += (further(deeper[0], second_out) - further(deeper[1], second_out)
                      + further(deeper[0], second_gain[:second])
                      + further(deeper[1], second_gain[second:])) * 400 / (254 * 256 * 256)
            worth += (sums[0] - sums[1]) / 64 + network.tempo[3]
            evaluated = network.evaluate(position)
            if position.side == "s":
                evaluated = -evaluated
            self.assertLess(abs(worth - evaluated), 5)

    def test_shapes(self):
        network = hathi.Network()
        rows, units = network.shape
        self.assertEqual(len(network.rows), rows * units)
        self.assertEqual((len(network.bias), len(network.direct)), (units, rows))
        self.assertEqual(len(network.out), network.buckets * units)
        self.assertEqual((len(network.gain), len(network.tempo)), (4 * 2 * network.buckets * units, 4))
        second = network.second_units
        self.assertEqual((len(network.second), len(network.second_bias)), (2 * units * second, second))
        self.assertEqual(len(network.second_out), network.buckets * second)
        self.assertEqual(len(network.second_gain), 4 * 2 * network.buckets * second)
        model = hathi.Model()
        self.assertTrue(all(len(weights) == model.features for weights in model.weights))
        scored = model.score_turns(START)
        self.assertEqual(len(scored), START.count_turns())
        self.assertEqual(sorted((score for _, score in scored), reverse=True),
                         [score for _, score in scored])
        with self.assertRaises(hathi.ParseError):
            hathi.Model("/does/not/exist")
        with self.assertRaises(hathi.ParseError):
            hathi.Network("/does/not/exist")


class Words(unittest.TestCase):
    def test_examples_are_true(self):
        finder, runner = doctest.DocTestFinder(recurse=False), doctest.DocTestRunner()
        for thing in [hathi, hathi.Position, hathi.Game]:
            (examples,) = finder.find(thing, thing.__name__, globs=dict(vars(hathi), hathi=hathi))
            self.assertGreater(runner.run(examples).attempted, 1)
        self.assertEqual(runner.failures, 0)

    def test_everything_says_what_it_does(self):
        for name in hathi.__all__:
            thing = getattr(hathi, name)
            if name == "__version__":
                continue
            self.assertTrue((thing.__doc__ or "").strip(), name)
            for part, value in vars(thing).items() if isinstance(thing, type) else ():
                if not part.startswith("_"):
                    self.assertTrue((value.__doc__ or "").strip(), f"{name}.{part}")


if __name__ == "__main__":
    unittest.main()
