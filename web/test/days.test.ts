import { describe, expect, it } from "vitest";
import { dayLabel, dayOf, timeLabel } from "../src/parts/days";

const en = { locale: "en", today: "Today", yesterday: "Yesterday" };
const zh = { locale: "zh", today: "今天", yesterday: "昨天" };
const now = new Date("2026-11-30T17:30:00Z");

describe("days", () => {
  it("are those of the person's zone", () => {
    expect(dayOf("2026-11-30T17:30:00Z", "Asia/Shanghai")).toBe("2026-12-01");
    expect(dayOf("2026-11-30T17:30:00Z", "America/New_York")).toBe("2026-11-30");
    expect(dayLabel("2026-11-30T15:59:00Z", now, "Asia/Shanghai", zh)).toBe("昨天");
    expect(dayLabel("2026-11-30T16:01:00Z", now, "Asia/Shanghai", zh)).toBe("今天");
    expect(dayLabel("2026-11-30T15:59:00Z", now, "Europe/Berlin", en)).toBe("Today");
  });

  it("are right across a clock change", () => {
    const after = new Date("2026-10-25T22:30:00Z");
    expect(dayLabel("2026-10-24T22:30:00Z", after, "Europe/Berlin", en)).toBe("Today");
    expect(dayLabel("2026-10-24T21:30:00Z", after, "Europe/Berlin", en)).toBe("Yesterday");
  });

  it("carry a weekday, and the year only where it is another", () => {
    expect(dayLabel("2026-11-20T12:00:00Z", now, "UTC", en)).toBe("Friday 20 November");
    expect(dayLabel("2026-11-20T12:00:00Z", now, "UTC", zh)).toBe("11月20日星期五");
    expect(dayLabel("2025-11-20T12:00:00Z", now, "UTC", en)).toBe("Thursday, 20 November 2025");
    expect(dayLabel("2025-11-20T12:00:00Z", now, "UTC", zh)).toBe("2025年11月20日星期四");
  });

  it("have times of 24 hours", () => {
    expect(timeLabel("2026-11-30T16:05:00Z", "Asia/Shanghai", "zh")).toBe("00:05");
    expect(timeLabel("2026-11-30T16:05:00Z", "UTC", "en")).toBe("16:05");
  });
});
