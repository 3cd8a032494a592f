"""What a backup costs: seconds, what eight writers feel of it, and the seconds of forgetting in it and of bringing it back.

The talk is that of `echovessel bench scale`: synthetic texts and vectors in the real store. Each writer stores one message
after another, durably, and never rests: nobody talks like that, but whatever waits for the disk is seen.
"""

import argparse
import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from echovessel.adapters.backup.restoring import keep_present, made_ready, take_its_place
from echovessel.adapters.home import Home
from echovessel.core.ids import ConversationId, MessageId, TextId, UserId
from echovessel.core.pair import Pair
from echovessel.core.talk import Speaker
from echovessel.ports.backups import Backup, Reason
from echovessel.ports.changes import DeleteMessage, ImportMessage
from echovessel.runtime.scale_figures import Scale, percentile
from echovessel.runtime.scale_ours import CHANNEL, PERSONA, Ours
from echovessel.runtime.wiring import Overrides, Vessel, build, open_settings

WRITERS = 8
ALONE_S = 3.0
"""How long the writers write before the backup, for comparison."""
USER, THREAD = UserId(f"{0:026}"), ConversationId(f"{0:026}")


def main() -> None:
    """Store the talk, back it up under load, forget in the backup, bring it back; print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--messages", type=int, default=100_000)
    asked = parser.parse_args()
    with TemporaryDirectory(prefix="echovessel-bench-") as folder:
        Ours().fill(Path(folder), Scale(messages=asked.messages))
        home = Home(Path(folder))
        print(f"{asked.messages:,} messages, {home.database.stat().st_size / 1e6:.0f} MB")
        backup = asyncio.run(back_up(home))
        began = perf_counter()
        with made_ready(Path(backup.path) / "memory.db", home, home.path / "backups", backup.made_at) as ready:
            keep_present(home, home.path / "backups", backup.made_at)
            take_its_place(ready, home)
        print(f"| restore, which backs up what is there | {perf_counter() - began:.1f} s |")


async def back_up(home: Home) -> Backup:
    """Measure writers alone, writers beside a backup, and forgetting; prints a line of the table each."""
    vessel = await build(home, Overrides(settings=open_settings(home, {"database.url": "", "embedder.name": "none"})))
    try:
        waits: list[float] = []
        over = asyncio.Event()
        async with asyncio.TaskGroup() as writers:
            for _ in range(WRITERS):
                writers.create_task(write(vessel, waits, over))
            await asyncio.sleep(ALONE_S)
            alone, waits[:] = list(waits), []
            began = perf_counter()
            backup = await vessel.deps.backups.make(Reason.ASKED)
            seconds, beside = perf_counter() - began, list(waits)
            over.set()
        print(f"| | |\n|---|---|\n| backup | {seconds:.1f} s, {backup.bytes / 1e6:.0f} MB |")
        for name, times in (("alone", alone), (f"during the backup ({len(beside):,} written)", beside)):
            p50, p95, worst = percentile(times, 0.5), percentile(times, 0.95), max(times) * 1000
            print(f"| a message of {WRITERS} writers {name} | p50 {p50:.1f}, p95 {p95:.1f}, worst {worst:.0f} ms |")
        oldest = await vessel.deps.store.first_message(Pair(USER, PERSONA))
        assert oldest is not None
        await vessel.deps.store.apply([DeleteMessage(user_id=USER, message_id=oldest.id)])
        began = perf_counter()
        await vessel.deps.backups.forget_deleted()
        print(f"| taking one message out of the backup | {perf_counter() - began:.1f} s |")
        return backup
    finally:
        await vessel.close()


async def write(vessel: Vessel, waits: list[float], over: asyncio.Event) -> None:
    """Store message after message, each when the last is on disk; the seconds of each go to `waits`."""
    deps = vessel.deps
    while not over.is_set():
        now = deps.clock.now()
        message = ImportMessage(
            message_id=MessageId(deps.ids.ulid(now)),
            text_id=TextId(deps.ids.ulid(now)),
            conversation_id=THREAD,
            pair=Pair(USER, PERSONA),
            channel=CHANNEL,
            speaker=Speaker.USER,
            text="今天下班路上买了一把雨伞，回家做饭。",
            sent_at=now,
            zone="UTC",
            external_id=deps.ids.ulid(now),
        )
        began = perf_counter()
        await deps.store.apply([message])
        waits.append(perf_counter() - began)


if __name__ == "__main__":
    main()
