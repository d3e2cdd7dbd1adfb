import moment from 'moment';

/**
 * The date of the last password change, in the reader's own time zone (specification §2, account settings).
 *
 * @param lastReset - ISO 8601
 */
export function describeLastChange(lastReset: string): string {
  return moment(lastReset).format('MMMM Do, YYYY [at] h:mm a');
}
