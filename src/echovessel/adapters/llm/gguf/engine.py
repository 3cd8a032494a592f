"""The process that runs a model file, from outside: started, waited for, ended. Why a process: docs/why/0067."""

import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from echovessel.adapters.llm.gguf import troubles
from echovessel.adapters.llm.gguf.file import ModelFile
from echovessel.core.errors import ModelCut, ModelDown

WORKER = Path(__file__).with_name("worker.py")
_ALWAYS_BYTES = 128 << 20
"""What the engine takes besides the model and its context."""
_LONGEST_LOG = 64 << 10
_STAMP = re.compile(r"^[\d.]+ E ")
_REASON = re.compile(r"error loading model: (?:error loading model \w+: )?(?P<words>.+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What the worker is told. `needed` is in bytes; whoever wants an answer shows `key`. `embeds`: it makes vectors instead of
    words; `pools_itself`: the file says how."""

    file: str
    name: str
    context_tokens: int
    threads: int
    key: str
    needed: int
    embeds: bool = False
    pools_itself: bool = False


def threads(processors: int) -> int:
    """How many of them think: half. The others are mostly the same cores again, or slow ones; and threads that wait for each
    other stand still when one of them has to share its processor with the rest of the program."""
    return max(1, processors // 2)


def processors() -> int:
    """How many this program may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def memory_needed(file: ModelFile, context_tokens: int) -> int:
    """Bytes, estimated: the model, its context, and the engine itself."""
    return file.size + context_tokens * file.bytes_a_token + _ALWAYS_BYTES


class Engine:
    """One running worker. `url` and `reap` block: one thread of its owner's calls them, and no other."""

    def __init__(self, file: ModelFile, job: Job) -> None:
        self.file = file
        self.key = job.key
        self._job = job
        self._killed = False
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `reap`
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(WORKER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=_environment(),
            start_new_session=True,  # Ctrl-C in the terminal is for us to hear
        )

    @property
    def ended(self) -> bool:
        """Whether the process is over, by itself or by us."""
        return self._process.poll() is not None

    def url(self) -> str:
        """Where the model answers, once it is loaded. Raises a ModelDown when it does not load; the process is over then."""
        answer = self._loaded()
        if url := answer.get("url"):
            return str(url)
        code = self._process.wait()
        if self._killed:
            raise troubles.let_go(self.file.path)
        raise self._trouble(answer, code)

    def kill(self) -> None:
        """End the process, whatever it does; whoever waits for it to load hears that at once."""
        self._killed = True
        self._process.kill()

    def reap(self) -> None:
        """Wait until it is over and its memory is free."""
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._log):
            if pipe:
                pipe.close()

    def crashed(self) -> ModelCut:
        """The process is over, and nobody asked it to be."""
        return troubles.crashed_answering(self.file.path, self._process.wait())

    def _loaded(self) -> dict[str, object]:
        """Hand over the job and wait for the one line that answers it; nothing when the process dies over it."""
        given, answers = self._process.stdin, self._process.stdout
        assert given
        assert answers
        try:
            given.write(json.dumps(asdict(self._job)).encode() + b"\n")
            given.flush()
            return json.loads(answers.readline() or b"{}")
        except (BrokenPipeError, ValueError):  # it is dead, or its line was cut, or the pipe was closed under us
            return {}

    def _trouble(self, answer: dict[str, object], code: int) -> ModelDown:
        path = self.file.path
        match answer.get("failed"):
            case "no engine":
                return troubles.no_engine()
            case "engine broken":
                return troubles.engine_broken(str(answer["words"]))
            case "too large":
                return troubles.too_large(path, needed=self._job.needed, available=int(str(answer["available"])))
            case "will not load":
                return self._told()
            case _:
                return troubles.crashed_loading(path, code)

    def _told(self) -> ModelDown:
        """The reason that the engine gave in its log."""
        self._log.seek(0)
        log = self._log.read(_LONGEST_LOG).decode("utf-8", "replace")
        reasons = [found["words"] for line in log.splitlines() if (found := _REASON.search(_STAMP.sub("", line)))]
        words = reasons[-1].replace(str(self.file.path), self.file.path.name) if reasons else ""
        if "unknown model architecture" in words:
            return troubles.unknown_architecture(self.file.path, self.file.architecture)
        if "not within the file bounds" in words:
            return troubles.cut_short(self.file.path)
        return troubles.will_not_load(self.file.path, words)


def _environment() -> dict[str, str]:
    """Ours without our settings, which may hold keys; and a crash ends the process at once, with no picture of its stack."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("ECHOVESSEL_")}
    return inherited | {"GGML_NO_BACKTRACE": "1"}
