const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];

/** Returns how long something is still open, to its two largest units: `3 days 5 hours left`, `12 minutes left`. */
export function timeLeft(ms: number): string {
  if (ms <= 0) return "The deadline has passed";
  if (ms < MINUTE_MS) return "Less than a minute left";
  const [days, hours, minutes] = [
    Math.floor(ms / DAY_MS),
    Math.floor((ms % DAY_MS) / HOUR_MS),
    Math.floor((ms % HOUR_MS) / MINUTE_MS),
  ];
  const parts =
    days > 0 ? [count(days, "day"), count(hours, "hour")] : [count(hours, "hour"), count(minutes, "minute")];
  return `${parts.filter((part) => part !== "").join(" ")} left`;
}

const count = (much: number, unit: string) => (much === 0 ? "" : `${much} ${unit}${much === 1 ? "" : "s"}`);
