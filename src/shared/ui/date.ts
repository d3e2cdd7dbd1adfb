import moment from 'moment';
import { dateMessages } from './date.messages';

/** A time in the reader's own time zone. @param at ISO 8601 */
export const formatTime = (at: string): string => moment(at).format(dateMessages.time);

/** A day in the reader's own time zone. @param at ms since 1970 */
export const formatDay = (at: number): string => moment(at).format(dateMessages.day);

/** ms since 1970. @param at ISO 8601 */
export const msOf = (at: string): number => moment(at).valueOf();

/**
 * A time in the reader's own time zone, alone if it is on the same day as `now`.
 *
 * @param at ISO 8601
 * @param now ms since 1970
 */
export const formatTimeNear = (at: string, now: number): string =>
  moment(at).isSame(now, 'day') ? moment(at).format(dateMessages.clock) : formatTime(at);
