from support.pages import FORM, line, paragraph

from taec.backbones.reading.layout import Sheet


def values(sheet: Sheet) -> dict[str, str]:
    return {field.label: field.value for field in sheet.fields}


def test_values_stand_beside_their_labels(form: Sheet) -> None:
    found = values(form)
    assert found["Vessel Name"] == "Albatross"
    assert found["Gross Wt."] == "840 t"
    assert found["Launched"] == "03/14/1998"


def test_blank_field_is_blank_though_another_label_stands_beside_it(form: Sheet) -> None:
    assert values(form)["Home Port"] == ""


def test_label_that_lost_its_colon_is_known_by_its_column() -> None:
    column = [line(f"Label {row}:", 260, 40 + 15 * row) for row in range(4)]
    sheet = Sheet([*column, line("Ownerc", 260, 100), line("Somebody", 360, 100), line("Empty:", 40, 100)])
    assert values(sheet)["Ownerc"] == "Somebody"
    assert values(sheet)["Empty"] == ""


def test_value_goes_on_below() -> None:
    sheet = Sheet([*FORM[:-3], line("Owner:", 260, 105), *FORM[-2:]])
    assert values(sheet)["Owner"] == "Northsea Survey Association"


def test_two_line_label_and_inline_value() -> None:
    sheet = Sheet([line("Operating", 40, 40), line("None", 140, 40), line("Permits:", 40, 49), line("Status: open until May", 40, 90)])
    assert values(sheet) == {"Operating Permits": "None", "Status": "open until May"}


def test_paragraphs_and_sentences_follow_the_reading_order() -> None:
    left = paragraph("The tower stands on a rock. It was built", "in 1887. Keepers lived there until 1960.")
    right = paragraph("Tickets cost 4 dollars.", left=400)
    sheet = Sheet([*right, *left])
    assert [sentence.text for sentence in sheet.sentences] == [
        "The tower stands on a rock.",
        "It was built in 1887.",
        "Keepers lived there until 1960.",
        "Tickets cost 4 dollars.",
    ]
    assert sheet.sentences[1].lines == (1, 2)


def test_initials_end_no_sentence() -> None:
    assert len(Sheet(paragraph("See the George W. Bush Library.")).sentences) == 1


def test_bullets_begin_a_passage() -> None:
    assert [passage.text for passage in Sheet(paragraph("• first thing", "and more of it", "• second thing")).passages] == [
        "• first thing and more of it",
        "• second thing",
    ]


def test_fields_of_a_form_are_passages_of_their_own(form: Sheet) -> None:
    assert form.is_form
    assert "Engine Type: Diesel, twin" in [passage.text for passage in form.passages]


def test_empty_page() -> None:
    sheet = Sheet([])
    assert (sheet.sentences, sheet.fields, sheet.legibility, sheet.is_form) == ((), (), 0.0, False)


def test_legibility_is_the_mean_score_by_length() -> None:
    assert Sheet([line("abcd", 0, 0, score=1.0), line("abcdabcdabcd", 0, 20, score=0.6)]).legibility == 0.7
