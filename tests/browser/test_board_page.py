"""The instructor's page of the class board, in a real browser."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from running_board import RunningBoard, event

pytest.importorskip("uvicorn")

GUESSES = (40.0, 60.0, 500.0)


@pytest.fixture
def board():
    board = RunningBoard()
    yield board
    board.end()


def test_page_covers_guesses_until_the_instructor_uncovers_them_with_the_truth(browser, board):
    for number, guess in enumerate(GUESSES):
        sent = [event(1, "guess", "where", guess), event(2, "truth", "where", 55.0), event(3, "help", "", number == 0)]
        assert board.post("events", sent, board.learner(f"Zoë {number}"))[0] == 200
    complaints = []
    tab = browser.new_page(viewport={"width": 360, "height": 800}, color_scheme="dark")
    tab.set_default_timeout(60_000)
    tab.on("console", lambda each: complaints.append(each.text) if each.type == "error" else None)
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.goto(board.page)
    tab.get_by_text("3 of 3 have guessed").wait_for()
    assert tab.url == f"http://{board.host_port}/", "the key stays in the address"
    assert tab.get_by_label("Help").get_by_text("Zoë").all_inner_texts() == ["Zoë 0"]
    assert board.address in tab.locator("header").inner_text()
    assert not tab.get_by_text("measured in this room").is_visible()
    tab.get_by_role("button", name="Uncover").press("Enter")
    tab.get_by_text("measured in this room: 55").wait_for()
    counts = [int(each) for each in tab.locator("#predictions .row > :last-child").all_inner_texts()]
    assert sum(counts) == len(GUESSES)
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert complaints == []
    serious = [each for each in Axe().run(tab).response["violations"] if each["impact"] in ("serious", "critical")]
    assert serious == []
    board.end()
    tab.get_by_text("The board has ended").wait_for()
    tab.close()
