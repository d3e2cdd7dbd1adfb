import moment from 'moment';

/** A time in the reader's own time zone. `at`: ISO 8601. */
export function Time({ at }: { readonly at: string }) {
  return <time dateTime={at}>{moment(at).format('MMMM Do, YYYY [at] h:mm a')}</time>;
}
