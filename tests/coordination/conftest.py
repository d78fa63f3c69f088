import pytest

from taec.coordination.cues import Cues


@pytest.fixture(scope="session")
def cues() -> Cues:
    return Cues(
        no_result=(
            *("no relevant information", "not found", "not be found", "did not match", "no result", "no results", "not mentioned"),
            *("does not mention", "does not contain", "未找到", "没有找到", "无相关", "不相关", "未提及"),
        ),
        partial=("partly", "partially", "only some", "只有部分", "仅部分", "部分信息"),
        unclear=("unclear", "not clearly", "not visible", "cannot be determined", "insufficient", "不清楚", "不明确", "无法确定"),
        confidence=("explicitly", "clearly", "confirms", "states that", "shows that", "directly", "明确", "清楚", "确认", "显示", "表明"),
        negations=("not", "no", "never", "none", "nothing", "nor", "without", "cannot", "不", "没", "没有", "未", "无", "无法"),
    )
