import { useDates } from './date';

interface TimeProps {
  /** ISO 8601. */
  readonly at: string;
  /** The text before the time, which says what happened. */
  readonly label?: string;
}

/** A time in the reader's own time zone. */
export function Time({ at, label }: TimeProps) {
  const { formatTime } = useDates();
  return (
    <>
      {label !== undefined && <span>{`${label} `}</span>}
      <time dateTime={at}>{formatTime(at)}</time>
    </>
  );
}
