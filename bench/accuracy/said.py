"""What a profiler says: one profile of the unmodified program, and the report's curves at the truth's speedups."""
import json
import os
import signal
import subprocess

import cases
import truth

COZ = os.path.join(cases.BUILD, "bin", "coz")
LEAST_WINDOWS = 2  # an answer rests on at least so many
MOST_STOLEN = 0.1  # of the cores' time, as for the truth: then the profile is taken again
TRIES = 3  # of which the least disturbed counts, whatever it says
REACH = 0.101  # another tool may have measured other speedups: then between two neighbours that near


class Tool:
    """A command with the command line of `coz run`."""

    def __init__(self, name, command, dwarf4, options=(), fixed=False, tries=TRIES):
        self.name, self.command, self.dwarf4, self.options, self.fixed = name, command, dwarf4, options, fixed
        self.tries = tries
        self.exact = not dwarf4

    def profile_path(self, case):
        return os.path.join(cases.WORK, "profiles", f"{case.name}.{self.name}.profile")

    def run(self, case, seconds):
        """Profiles the case. Returns what the program printed, and what went wrong, if anything did."""
        path = self.profile_path(case)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if os.path.exists(path):
            os.remove(path)
        lines = [word for target in case.targets if self.fixed or not target.is_line() for word in ("--target", target.place)]
        if case.cuts != cases.CUTS:
            lines += [word for cut in case.cuts for word in ("--fixed-speedup", str(cut))]
        command = [*self.command, "run", "-o", path, *self.options, *lines, "---",
                   *case.command(seconds, self.dwarf4, case.found)]
        status, output, errors = run_group(command, 2 * seconds + 30)
        if status is None:
            return output, "does not end"
        if status != 0:
            return output, ": ".join([f"exit status {status}", *errors.strip().splitlines()[-1:]])
        if not os.path.exists(path):
            return output, "no profile"
        return output, None

    def answers(self, case, seconds):
        """What one_profile() says. What is taken again never depends on the answers."""
        tries = []
        while len(tries) < self.tries and not (tries and tries[-1]["stolen"] <= MOST_STOLEN):
            tries.append(self.one_profile(case, seconds))
        return {**min(tries, key=lambda answers: answers["stolen"]), "profiles": len(tries)}

    def one_profile(self, case, seconds):
        """{"trouble": text or None, "seconds_per_visit": under the profiler, "stolen": share of the cores' time,
        "targets": {name: {cut: answer}}}"""
        watch = truth.Stolen()
        output, trouble = self.run(case, seconds)
        stolen = watch.share()
        curves = curves_of(self.profile_path(case), case.metric, case.quantile)
        targets = {target.name: {str(cut): value_at(curves.get(target.place, []), cut / 100, self.exact)
                                 for cut in case.cuts} for target in case.targets}
        return {"trouble": trouble, "seconds_per_visit": truth.figure_of(output), "stolen": stolen,
                "targets": targets}


def curves_of(profile, metric, quantile=0):
    """{place: curve} of the point "visit", by our report; of a quantile, where one is given."""
    command = [COZ, "report", "--format", "json", "--all", "--top", "0", "--point", "visit", profile]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        results = json.loads(done.stdout)["results"]
    except (ValueError, KeyError):
        return {}
    return {place_of(result): curve_of_quantile(result, quantile) if quantile else result["curve"]
            for result in results if result["metric"] == metric}


def curve_of_quantile(result, quantile):
    """As a curve is, of what the report says of units. What is not known is null there."""
    windows = {point["speedup"]: point["windows"] for point in result["curve"]}
    return [{"speedup": at["speedup"], "windows": windows.get(at["speedup"], 0),
             **{member: of[member] for member in ("effect", "low", "high")}}
            for at in result["units"] for of in at["quantiles"] if abs(of["quantile"] - quantile) < 1e-6 and at["speedup"]]


def place_of(result):
    """file.c:LINE, as the case names it; a wait's location goes on with what for."""
    place = os.path.basename(result["location"])
    if place == "all waits for a core":
        return "wait:queue"
    return "wait:" + place.split(" (")[0] if result["kind"] == "wait" else place


def run_group(command, timeout, stdin=None):
    """Runs it as a group of its own, so that nothing of it is left. (None, ...) when it took too long."""
    with subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          errors="replace", start_new_session=True) as process:
        try:
            output, errors = process.communicate(timeout=timeout)
            return process.returncode, output, errors
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, errors = process.communicate()
            return None, output, errors


def known(point):
    return all(point.get(member) is not None for member in ("effect", "low", "high"))


def value_at(curve, speedup, exact):
    """The curve's value there: {effect, low, high, windows}, or None for no answer."""
    points = sorted((point for point in curve if known(point)), key=lambda point: point["speedup"])
    for point in points:
        if abs(point["speedup"] - speedup) < 0.0005:
            if point["windows"] >= LEAST_WINDOWS:
                return {member: point[member] for member in ("effect", "low", "high", "windows")}
            break
    return None if exact else between(points, speedup)


def between(points, speedup):
    below = [point for point in points if speedup - REACH <= point["speedup"] < speedup]
    above = [point for point in points if speedup < point["speedup"] <= speedup + REACH]
    if not below or not above or below[-1]["windows"] + above[0]["windows"] < LEAST_WINDOWS:
        return None
    left, right = below[-1], above[0]
    share = (speedup - left["speedup"]) / (right["speedup"] - left["speedup"])
    answer = {member: left[member] + share * (right[member] - left[member]) for member in ("effect", "low", "high")}
    return {**answer, "windows": left["windows"] + right["windows"]}
