"""The catalogues: none misses a code, a placeholder, a plural form or a word."""

from __future__ import annotations

import re
import string
import tomllib
from importlib import resources

import pytest

import fenpack as fp
from fenpack import Problem
from fenpack.plurals import CATEGORIES, category
from fenpack.sentences import ADVICE, catalogue, languages
from mutations import mutated

CODES = [problem.name.lower() for problem in Problem if problem.bit_count() == 1]
RIGHT_TO_LEFT = ("ar", "he")
#: What each code that speaks of a count can count.
COUNTS = {
    "field_count": range(1, 300),
    "rank_count": range(1, 300),
    "rank_width": range(300),
    "extra_white_king": range(2, 65),
    "extra_black_king": range(2, 65),
    "pawn_on_back_rank": range(1, 17),
    "white_pawns_gt_8": range(9, 65),
    "black_pawns_gt_8": range(9, 65),
    "white_men_gt_16": range(17, 65),
    "black_men_gt_16": range(17, 65),
    "ep_occupied": range(1, 3),
    "home_bishop_excess": range(1, 33),
}
ISOLATED = re.compile("\u2066[^\u2066\u2069]*\u2069")
LATIN = re.compile("[A-Za-z]")


def entries(language: str) -> dict[str, dict[str, str]]:
    file = resources.files("fenpack") / "languages" / f"{language}.toml"
    return tomllib.loads(file.read_text("utf-8"))


def placeholders(*templates: str) -> set[tuple[str, str]]:
    parsed = (part for template in templates for part in string.Formatter().parse(template))
    return {(name, form or "") for _, name, form, _ in parsed if name is not None}


def test_languages() -> None:
    assert languages() == ("en", "ar", "he", "hi", "ta")
    for language in languages():
        assert catalogue(language).right_to_left == (language in RIGHT_TO_LEFT)


@pytest.mark.parametrize("language", languages())
class TestCatalogue:
    def test_codes_words_and_advice(self, language: str) -> None:
        found, english = entries(language), entries("en")
        assert list(found) == list(english)
        assert set(found) == {"words", "advice", *CODES}
        assert set(ADVICE) == set(CODES)
        assert set(found["advice"]) == set(ADVICE.values())
        for table in ("words", "advice"):
            assert list(found[table]) == list(english[table])
            assert all(found[table].values())

    def test_plural_forms(self, language: str) -> None:
        for code in CODES:
            forms = {key for key in entries(language)[code] if key.startswith("sentence")}
            needed = {category(language, count) for count in COUNTS.get(code, [1])}
            if len(needed) == 1:
                assert forms in ({"sentence"}, {f"sentence_{next(iter(needed))}"}), code
            else:
                # Hindi and Tamil say "{count} kings" alike, and so on, but Arabic never does.
                assert forms == {f"sentence_{name}" for name in needed}, code

    def test_placeholders(self, language: str) -> None:
        for code in CODES:
            entry, english = entries(language)[code], entries("en")[code]
            assert set(entry) <= {"repair", "sentence", *(f"sentence_{c}" for c in CATEGORIES)}
            assert ("repair" in entry) == ("repair" in english), code
            said = [text for key, text in entry.items() if key != "repair"]
            needed = placeholders(*(t for key, t in english.items() if key != "repair"))
            assert placeholders(*said) == needed, code
            for template in said:
                # "two kings" may be one word.
                assert needed - placeholders(template) <= {("count", "")}, code
            assert not placeholders(entry.get("repair", ""))

    def test_snippets(self, language: str) -> None:
        for table, entry in entries(language).items():
            for key, text in entry.items():
                assert text.count("`") % 2 == 0, (table, key)
                assert '"' not in text
                if language != "en":
                    prose = re.sub("`[^`]*`|{[^}]*}", "", text)
                    assert not LATIN.search(prose), (table, key)

    def test_every_mutated_row_is_rendered(self, language: str, sample: list[str]) -> None:
        for fen in mutated(sample, 2000, seed=11):
            diagnosis = fp.explain(fen, language=language)
            assert diagnosis._repr_html_().endswith("</div>")
            for finding in diagnosis.findings:
                for said in (finding.sentence, finding.advice, finding.repair or ""):
                    prose = said
                    if language in RIGHT_TO_LEFT:
                        prose = ISOLATED.sub("", said)
                        assert not set("\u2066\u2069`") & set(prose)
                        assert not LATIN.search(prose)
                    elif language != "en":
                        squares = "|".join(finding.squares) or "`"
                        prose = re.sub(rf"`[^`]*`|0x[0-9a-f]+|\b({squares})\b", "", said)
                        assert not LATIN.search(prose), said


@pytest.mark.parametrize(
    ("language", "counts"),
    [
        ("en", {0: "other", 1: "one", 2: "other", 11: "other"}),
        (
            "ar",
            {
                0: "zero",
                1: "one",
                2: "two",
                3: "few",
                10: "few",
                11: "many",
                99: "many",
                100: "other",
                102: "other",
                103: "few",
                111: "many",
            },
        ),
        ("he", {0: "other", 1: "one", 2: "two", 3: "other", 20: "other"}),
        ("hi", {0: "one", 1: "one", 2: "other"}),
        ("ta", {0: "other", 1: "one", 2: "other"}),
    ],
)
def test_plural_rules(language: str, counts: dict[int, str]) -> None:
    assert {count: category(language, count) for count in counts} == counts


@pytest.mark.parametrize(
    ("language", "rank", "sentence"),
    [
        ("en", "7", "rank 7 `7` has 7 squares instead of 8"),
        ("ar", "", "ليس في الصف 7 \u2066``\u2069 أي مربع بدلًا من 8"),
        ("ar", "1", "في الصف 7 \u2066`1`\u2069 مربع واحد بدلًا من 8"),
        ("ar", "2", "في الصف 7 \u2066`2`\u2069 مربعان بدلًا من 8"),
        ("ar", "3", "في الصف 7 \u2066`3`\u2069 3 مربعات بدلًا من 8"),
        ("ar", "8p4", "في الصف 7 \u2066`8p4`\u2069 13 مربعًا بدلًا من 8"),
        ("he", "1", "בשורה 7 \u2066`1`\u2069 יש משבצת אחת במקום 8"),
        ("he", "2", "בשורה 7 \u2066`2`\u2069 יש שתי משבצות במקום 8"),
        ("he", "7", "בשורה 7 \u2066`7`\u2069 יש 7 משבצות במקום 8"),
        ("hi", "1", "पंक्ति 7 `1` में 8 की जगह 1 खाना है"),
        ("hi", "7", "पंक्ति 7 `7` में 8 की जगह 7 खाने हैं"),
        ("ta", "1", "வரிசை 7 `1`: 8 கட்டங்களுக்குப் பதிலாக 1 கட்டம் உள்ளது"),
        ("ta", "7", "வரிசை 7 `7`: 8 கட்டங்களுக்குப் பதிலாக 7 கட்டங்கள் உள்ளன"),
    ],
)
def test_counts(language: str, rank: str, sentence: str) -> None:
    diagnosis = fp.explain(f"4k3/{rank}/8/8/8/8/8/4K3 w - - 0 1", language=language)
    assert [finding.sentence for finding in diagnosis.findings] == [sentence]


def test_squares_are_isolated_one_by_one() -> None:
    [opposite, _] = fp.explain("8/8/8/8/8/8/5kK1/8 w - - 0 1", language="ar").findings
    assert opposite.sentence.endswith("(\u2066f2\u2069، \u2066g2\u2069)")


def test_a_fen_cannot_leave_its_isolate() -> None:
    shown = fp.explain("4k3/8/8/8/8/8/8/4K3 \u2069` - - 0 1", language="he")
    assert "\\u2069\\x60" in str(shown)
    assert str(shown).count("\u2066") == str(shown).count("\u2069")
