"""A talk in the terminal: what was said last, then line by line; answers stream in as they are worded."""

from collections.abc import Callable, Iterator, Sequence

from echovessel.channels.terminal.screen import BOLD, CYAN, DIM, RED, Flow, Screen, harmless
from echovessel.channels.terminal.stop_key import StopKey
from echovessel.channels.terminal.words import Words, words
from echovessel.core.errors import EchoVesselError
from echovessel.core.talk import Trouble, Voice
from echovessel.ports.desk import Desk, Line, Reply, Talk
from echovessel.ports.front import AlsoSaid, ReplyDelta, ReplyFailed, TurnEvent

SHOWN_AT_FIRST = 10
"""How many lines of the timeline are shown when the talk opens."""

_STYLES = {Voice.USER: BOLD, Voice.PERSONA: BOLD + CYAN, Voice.KEEPER: BOLD, Voice.CARE: BOLD}

ReadLine = Callable[[str], str]
"""Shows a prompt and returns a line; raises EOFError at the end of input and KeyboardInterrupt on Ctrl-C."""


class TerminalChannel:
    """A person at a terminal. `read` asks for lines; KeyboardInterrupt may come at any time, and `stop_key` knows of each."""

    def __init__(self, desk: Desk, screen: Screen, read: ReadLine, stop_key: StopKey) -> None:
        self._stop_key = stop_key
        self._desk = desk
        self._screen = screen
        self._read = read
        self._words: Words = words(desk.locale)

    def run(self, name: str) -> None:
        """Talk with the persona called `name` until the person leaves."""
        talk = self._open(name)
        interrupted = False
        while True:
            try:
                text = self._read(f"{self._words.you}> ")
                interrupted = False
                if (text.strip()) in {"/quit", "/exit"}:
                    break
                talk = self._do(text, talk)
            except KeyboardInterrupt:
                self._stop_key.heard()
                self._screen.line()
                if interrupted:
                    break
                interrupted = True
                self._screen.line(self._words.leave_hint, DIM)
            except EOFError:
                self._screen.line()
                break
        self._screen.line(self._words.goodbye, DIM)

    def _open(self, name: str) -> Talk:
        talk = self._desk.open(name)
        self._screen.paragraph(self._words.welcome.format(persona=talk.persona), style=DIM)
        show_lines(talk.recent(SHOWN_AT_FIRST), talk.persona, self._screen, self._words)
        return talk

    def _do(self, text: str, talk: Talk) -> Talk:
        """One line of the person's: a command, or something said. Returns whom they talk with after it."""
        command, _, rest = text.partition(" ")
        try:
            if not text.strip():
                return talk
            if not command.startswith("/"):
                self._follow(talk, talk.say(text))
            elif command in {"/retry", "/regenerate"}:
                self._again(talk)
            elif command == "/persona":
                return self._persona(rest.strip(), talk)
            elif command == "/help":
                self._screen.line(self._words.help, DIM)
            else:
                self._screen.line(self._words.unknown_command.format(command=command), DIM)
        except EchoVesselError as error:
            show_problem(error.message, error.do, self._screen)
        return talk

    def _persona(self, name: str, talk: Talk) -> Talk:
        if name:
            return self._open(name)
        self._screen.line(self._words.personas.format(names=", ".join(self._desk.names())), DIM)
        return talk

    def _again(self, talk: Talk) -> None:
        answers = (Voice.PERSONA, Voice.KEEPER)
        last = next((line for line in reversed(talk.recent(SHOWN_AT_FIRST)) if line.voice in answers), None)
        if last is None:
            self._screen.line(self._words.nothing_to_retry, DIM)
        else:
            self._follow(talk, talk.regenerate(last.id))

    def _follow(self, talk: Talk, reply: Reply) -> None:
        """Show the answer while it is worded. Ctrl-C stops it; a second one leaves."""
        stopped = False
        self._stop_key.heard()
        with reply as events:
            shown = _Answer(self._screen, talk.persona, self._words)
            while True:
                try:
                    for event in events:
                        shown.take(event)
                        self._stop_key.check()
                    break
                except KeyboardInterrupt:
                    self._stop_key.heard()
                    if stopped:
                        self._screen.line()
                        raise EOFError from None
                    stopped = True
                    shown.stop()
                    talk.stop()
                except EchoVesselError:
                    shown.break_off()
                    raise


class _Answer:
    """One answer on the screen, from the first dots to its end."""

    def __init__(self, screen: Screen, persona: str, own: Words) -> None:
        self._screen = screen
        self._persona = persona
        self._words = own
        self._flow: Flow | None = None
        self._stopped = False
        self._wait()

    def take(self, event: TurnEvent) -> None:
        """Show one event."""
        if isinstance(event, AlsoSaid):
            self._interrupt(event)
            return
        if isinstance(event, ReplyDelta):
            if not self._stopped:
                self._add(event)
            return
        if not self._stopped:
            self._end_line()
        if isinstance(event, ReplyFailed):
            show_trouble(event.trouble, self._screen, self._words)

    def break_off(self) -> None:
        """End the line: no more will come."""
        if not self._stopped:
            self._end_line()

    def stop(self) -> None:
        """End the line; the few words that still come are kept in the timeline, but not shown here."""
        self._end_line()
        self._stopped = True
        self._screen.line(self._words.stopping, DIM)

    def _wait(self) -> None:
        if self._screen.columns:
            self._screen.write(harmless(f"{self._persona} …"), DIM)

    def _interrupt(self, said: AlsoSaid) -> None:
        """What the program says is shown whatever else is going on; the answer goes on below it."""
        if not self._stopped:
            self._end_line()
        show_notice(said.text, said.voice, self._persona, self._screen, self._words)
        if not self._stopped:
            self._wait()

    def _add(self, delta: ReplyDelta) -> None:
        if delta.reset and self._flow:
            self._end_line()
        if self._flow is None:
            self._screen.wipe_line()
            label = self._words.speaker(delta.voice, self._persona)
            self._flow = self._screen.flow(f"{label}: ", _STYLES[delta.voice])
        self._flow.add(delta.text)

    def _end_line(self) -> None:
        if self._flow:
            self._flow.end()
            self._flow = None
        else:
            self._screen.wipe_line()


def show_lines(lines: Sequence[Line], persona: str, screen: Screen, own: Words) -> None:
    """A stretch of the timeline, with a divider before each day."""
    day = None
    for line in lines:
        if line.at.date() != day:
            day = line.at.date()
            screen.line(f"── {day.isoformat()} ──", DIM)
        if line.voice is Voice.CARE:
            show_notice(line.text, line.voice, persona, screen, own)
        elif line.text:
            label = own.speaker(line.voice, persona)
            screen.paragraph(line.text, label=f"{label}: ", label_style=_STYLES[line.voice])
        if line.trouble:
            show_trouble(line.trouble, screen, own)


def show_notice(text: str, voice: Voice, persona: str, screen: Screen, own: Words) -> None:
    """A block of the program's own, which cannot be taken for the persona's words."""
    screen.line(f"── {own.speaker(voice, persona)} ──", BOLD)
    screen.paragraph(text, label="  " if screen.columns else "")
    screen.line("──", BOLD)


def show_trouble(trouble: Trouble, screen: Screen, own: Words) -> None:
    """Why there is no (whole) answer, what helps, and what can be said all the same."""
    show_problem(trouble.message, f"{trouble.do} {own.retry_hint}", screen)
    if trouble.aside:
        screen.paragraph(own.keeper + trouble.aside, label="  ", style=DIM)


def show_problem(message: str, do: str, screen: Screen) -> None:
    """What is wrong, and what helps."""
    screen.paragraph(message, label="× ", label_style=RED, style=RED)
    screen.paragraph(do, label="  ", style=DIM)


def say_once(talk: Talk, text: str, screen: Screen, own: Words) -> Trouble | None:
    """Say one thing and write the answer alone, for scripts; what went wrong is returned.

    Only where help is comes with it, marked as the program's: whoever reads the answer must see it.
    """
    with talk.say(text) as events:
        return _write_answer(events, talk.persona, screen, own)


def _write_answer(events: Iterator[TurnEvent], persona: str, screen: Screen, own: Words) -> Trouble | None:
    begun = False
    try:
        for event in events:
            if isinstance(event, ReplyDelta):
                if event.reset and begun:
                    screen.line()
                screen.write(harmless(event.text))
                begun = bool(event.text) or (begun and not event.reset)
                continue
            if begun:
                screen.line()
                begun = False
            if isinstance(event, AlsoSaid):
                show_notice(event.text, event.voice, persona, screen, own)
            elif isinstance(event, ReplyFailed):
                return event.trouble
    except EchoVesselError:
        if begun:
            screen.line()
        raise
    return None
