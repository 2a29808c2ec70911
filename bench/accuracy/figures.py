"""How far off answers are, and how that is written. A truth is {effect, low, high}; so is an answer, or it is None. In the
files all are shares, and printed they are points: 25.0 means a quarter less time per visit."""


def points(value):
    return f"{100 * value:6.1f}"


def interval(answer):
    return f"[{points(answer['low'])},{points(answer['high'])}]"


def error_of(true, answer):
    return abs(true["effect"] - answer["effect"])


def inside(true, answer):
    return answer["low"] <= true["effect"] <= answer["high"]


def said_columns(true, answer):
    if not answer:
        return f"{'no answer':>24} {'':6} "
    mark = " " if inside(true, answer) else "*"
    return f"{points(answer['effect'])} {interval(answer):>17} {points(error_of(true, answer))}{mark}"


def touch(one, other):
    """Two intervals."""
    return one["low"] <= other["high"] and other["low"] <= one["high"]


def is_wrong_and_sure(true, answer):
    """It says for sure that a line helps, or harms, and for sure it does not."""
    says_more = answer["low"] > 0 and true["effect"] <= 0
    says_less = answer["high"] < 0 and true["effect"] >= 0
    return (says_more or says_less) and not touch(true, answer)


def percentile(values, percent):
    """Of sorted values."""
    return values[min(len(values) - 1, int(percent / 100 * len(values)))]


def summary(cells):
    """Mean and 90th percentile of the errors, and the shares of truths that intervals hold."""
    answered = [(true, answer) for true, answer in cells if answer]
    errors = sorted(error_of(true, answer) for true, answer in answered)
    if not errors:
        return {"answers": 0}
    touching = sum(touch(true, answer) for true, answer in answered)
    return {"answers": len(errors), "mean_error": sum(errors) / len(errors),
            "percentile_90": percentile(errors, 90), "percentile_99": percentile(errors, 99),
            "inside": sum(inside(true, answer) for true, answer in answered) / len(errors),
            "intervals_touch": touching / len(errors)}


def summary_text(figures):
    if not figures["answers"]:
        return "no answers"
    return (f"mean absolute error {points(figures['mean_error']).strip()}, "
            f"90th percentile {points(figures['percentile_90']).strip()}, "
            f"truths inside the interval {figures['inside']:.0%} "
            f"(allowing for the truth's own: {figures['intervals_touch']:.0%}), {figures['answers']} answers")
