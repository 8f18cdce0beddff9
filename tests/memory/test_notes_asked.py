"""What a prompt asks for: of a brief its task, not its head."""

from __future__ import annotations

from helix_tui.memory.notes.asked import asked_for

HEAD = "You are one of several helpers. " + "Follow the house rules of this team closely. " * 30
TASK = "Teach the importer dates before 1970."


def test_a_short_prompt_is_told_as_it_is() -> None:
    assert asked_for("# Now\n\nplease mend\nthe parser", "", 200) == "please mend the parser"
    assert asked_for("mend " * 20, "", 30).endswith("…")


def test_of_a_brief_the_task_is_told_that_stands_under_its_heading() -> None:
    for heading in ("## Tasks", "# Your task", "## Request", "### The assignment"):
        prompt = f"# Context\n\n{HEAD}\n\n{heading}\n\n{TASK}\n\n## Style\n\nBe brief.\n"
        assert asked_for(prompt, "", 200) == TASK


def test_of_a_brief_without_such_a_heading_its_end_is_told() -> None:
    prompt = f"{HEAD}\n\nThen look at this.\n\n{TASK}"
    assert asked_for(prompt, "", 400).endswith(TASK)
    assert not asked_for(prompt, "", 400).startswith("You are one")


def test_of_a_brief_the_passage_is_told_that_speaks_of_the_title() -> None:
    prompt = f"{HEAD}\n\n{TASK}\n\n{HEAD}"
    assert asked_for(prompt, "Teach the importer dates before 1970", 200).startswith(TASK)


PASTED = """why is it at the top and not beside the other buttons

(function () {
    window.onload = function () {
        var frame = new Frame({ openId: "#logo", modal: "modal" });
        frame.init();
    };
})();
"""


def test_of_a_prompt_that_is_mostly_pasted_the_persons_words_are_told() -> None:
    assert asked_for(PASTED, "", 200) == "why is it at the top and not beside the other buttons"
    printed = "\n".join(f"error[E0{number}]: cannot find value `a`" for number in range(6))
    told = asked_for(f"{printed}\nleave the old binary out of this\n{printed}", "", 200)
    assert told == "leave the old binary out of this"


def test_a_prompt_that_is_nothing_but_pasted_or_a_brief_stays() -> None:
    printed = "\n".join(f"error[E0{number}]: cannot find value `a`" for number in range(6))
    assert asked_for(printed, "", 400).startswith("error[E00]")
    brief = "Do it so:\n" + "\n".join(f"- step {number} of it" for number in range(6))
    assert "step 5" in asked_for(brief, "", 400)
