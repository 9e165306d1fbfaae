"""Tests against the command that the environment variable STOWAGE names."""

import os
import random
import tempfile
import threading
import unittest
from typing import Any, Dict

import stowage


def small() -> stowage.Problem:
    problem = stowage.Problem("f")
    problem.buffer(4096, 0, 3)
    problem.buffer(8192, 1, 5, id="named")
    problem.buffer(2048, 0, 6)
    return problem


def hard(buffers: int = 400) -> stowage.Problem:
    chance = random.Random(3)
    problem = stowage.Problem("hard")
    for _ in range(buffers):
        start = chance.randrange(buffers)
        problem.buffer(chance.randrange(1, 100_000), start, start + 1 + chance.randrange(60))
    return problem


class PlannerTest(unittest.TestCase):
    planner: stowage.Planner

    @classmethod
    def setUpClass(cls) -> None:
        cls.planner = stowage.Planner()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.planner.close()

    def test_a_plan_answers_by_handle_and_id(self) -> None:
        plan = self.planner.plan(small(), time_limit=10)
        self.assertEqual(("OPTIMAL", 14336, 14336, 0), (plan.status, plan.peak, plan.lower_bound, plan.gap))
        self.assertEqual(plan.offset(1), plan.offset("named"))
        self.assertIsNone(plan.memory(0))
        self.assertIn("14,336 bytes", plan.proof)

    def test_every_kind_of_constraint_is_passed_on(self) -> None:
        problem = stowage.Problem()
        problem.memory("fast", 8192, alignment=32, bank_size=4096)
        problem.memory("slow")
        a = problem.buffer(4096, 0, 9, memories=["fast"], within_bank=True, gaps=[(3, 5)])
        b = problem.buffer(100, 0, 4, alignment=64, offset=128, memories=["slow"])
        c = problem.buffer(100, 5, 9, memories=["slow"])
        problem.conflict(b, c)
        plan = self.planner.plan(problem)
        self.assertEqual((0, 128), (plan.offset(a) % 4096, plan.offset(b)))
        self.assertFalse(plan.offset(c) < 228 and 128 < plan.offset(c) + 100)
        self.assertEqual("slow", plan.memory(c))

    def test_a_capacity_that_is_too_small_is_proven_to_be(self) -> None:
        plan = self.planner.plan(small(), capacity=14335)
        self.assertEqual("INFEASIBLE", plan.status)
        self.assertTrue(plan.proof.startswith("The capacity of"))
        with self.assertRaises(stowage.StowageError):
            plan.offset(0)

    def test_what_is_wrong_is_an_error_with_a_code(self) -> None:
        with self.assertRaises(stowage.StowageError) as caught:
            self.planner.plan({"schemaVersion": 1, "buffers": [{"id": "a", "lower": 0, "upper": 1, "size": -1}]})
        self.assertEqual(3, caught.exception.code)
        self.assertIn("size", str(caught.exception))
        with self.assertRaises(TypeError):
            self.planner.plan(small(), timelimit=3)  # type: ignore[call-arg]

    def test_a_wrong_buffer_is_refused_at_once(self) -> None:
        problem = stowage.Problem()
        for size, lower, upper, word in ((-1, 0, 1, "size -1"), (1, -2, 1, "lower -2"), (1, 3, 2, "upper 2")):
            with self.assertRaisesRegex(ValueError, word):
                problem.buffer(size, lower, upper)
        problem.buffer(1, 0, 1, id="a")
        with self.assertRaisesRegex(ValueError, "a: there is a buffer of this id"):
            problem.buffer(1, 0, 1, id="a")
        with self.assertRaisesRegex(ValueError, "memory fast"):
            problem.buffer(1, 0, 1, memories=["fast"])
        self.assertEqual("Problem('problem', 1 buffers)", repr(problem))

    def test_a_plan_prints_in_a_line(self) -> None:
        self.assertEqual("Plan(OPTIMAL, peak=14336, 3 buffers)", repr(self.planner.plan(small())))

    def test_a_missing_program_is_named(self) -> None:
        with self.assertRaisesRegex(stowage.StowageError, "no-such-stowage cannot be run"):
            stowage.Planner(["no-such-stowage"])

    def test_a_file_is_planned_by_its_path(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "in.csv")
            with open(path, "w") as out:
                out.write("id,lower,upper,size\na,0,3,7\n")
            self.assertEqual(7, self.planner.plan(path).peak)

    def test_a_cancelled_run_answers_its_best_plan(self) -> None:
        task = self.planner.submit(hard(), time_limit=60, engines=["search"])
        threading.Timer(0.5, task.cancel).start()
        plan = task.result(timeout=50)
        self.assertIn(plan.status, ("FEASIBLE", "OPTIMAL", "UNKNOWN"))

    def test_deterministic_runs_agree(self) -> None:
        options: Dict[str, Any] = {"work_limit": 0.2, "engines": ["search"]}
        first = self.planner.plan(hard(100), threads=1, **options)
        second = self.planner.plan(hard(100), **options)
        self.assertEqual(first.answer["placements"], second.answer["placements"])

    def test_a_false_answer_is_not_believed(self) -> None:
        plan = self.planner.plan(small())
        problem = small().json()
        moved = [dict(place, offset=0) for place in plan.answer["placements"]]
        self.assertEqual([], stowage.faults(problem, plan.answer["placements"]))
        self.assertTrue(stowage.faults(problem, moved))

    def test_one_question_needs_no_planner(self) -> None:
        self.assertEqual(14336, stowage.plan(small(), effort="fast").peak)


if __name__ == "__main__":
    unittest.main()
