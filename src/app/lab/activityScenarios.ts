import { actionStarted, activityEntered, listFailed, listLoaded } from '@features/activity/activity.slice';
import { endOthersConfirmed, othersFound } from '@features/activity/other-sessions/otherSessions.slice';
import {
  noticeAnswered,
  noticeClosed,
  noticeEntered,
  noticeLoaded,
  noticeUnreached,
} from '@features/auth/security-notice/securityNotice.slice';
import { activationConfirmed } from '@features/mfa/activated/activation.slice';
import {
  profileLoaded,
  profileRequested,
  sessionAbsent,
  sessionEndAnnounced,
  type AnnouncedEnd,
} from '@features/session';
import type { UnknownAction } from '@reduxjs/toolkit';
import type { ActivityEvent, SessionEntry, TrustedDevice } from '@shared/api/extensionDecoders';
import { paths } from '@vestibule/contract/paths';
import { userAttributes } from './builders';
import { at, signedIn, type GivenWords, type Variants } from './scenario';

const laptop = { browser: 'Firefox 153', system: 'Windows', network: '203.0.113.0/24' } as const;
const unknown = { browser: null, system: null, network: null } as const;
const times = { startedAt: '2026-11-02T09:30:00Z', lastSeenAt: '2026-11-24T16:05:00Z' } as const;

const sessions: readonly SessionEntry[] = [
  { id: 'this', current: true, method: 'basic', ...times, ...laptop },
  {
    id: 'phone',
    current: false,
    method: 'google',
    ...times,
    ...{ browser: 'Samsung Internet for Android 29', system: 'Android', network: '2001:db8:4f50::/48' },
  },
  { id: 'unknown', current: false, method: 'of a later version', ...times, ...unknown },
];
const devices: readonly TrustedDevice[] = [
  {
    id: 'device',
    browser: laptop.browser,
    system: laptop.system,
    trustedAt: times.startedAt,
    expiresAt: '2026-12-02T09:30:00Z',
  },
];
const kinds = ['signed-in', 'sign-in-failed', 'password-changed', 'mfa-changed', 'locked', 'session-ended'];
const events = kinds.map((kind, index) => ({
  id: String(index),
  at: times.lastSeenAt,
  kind: kind as ActivityEvent['kind'],
  method: kind === 'signed-in' ? 'microsoft' : null,
  ...(index === 1 ? unknown : laptop),
}));

const opened = (words: GivenWords): readonly UnknownAction[] => [
  signedIn(words),
  at(paths.accountActivity()),
  activityEntered(),
];
const failed = (words: GivenWords): readonly UnknownAction[] => [
  ...opened(words),
  ...(['sessions', 'devices', 'events'] as const).map((list) => listFailed({ list })),
];
const loaded = (words: GivenWords): readonly UnknownAction[] => [
  ...opened(words),
  listLoaded({ list: 'sessions', entries: sessions, next: null }),
  listLoaded({ list: 'devices', entries: devices, next: null }),
  listLoaded({ list: 'events', entries: events, next: '5' }),
];
const empty = (words: GivenWords): readonly UnknownAction[] => [
  ...opened(words),
  listLoaded({ list: 'sessions', entries: sessions.slice(0, 1), next: null }),
  listLoaded({ list: 'devices', entries: [], next: null }),
  listLoaded({ list: 'events', entries: [], next: null }),
];
const beforeTheCall = (words: GivenWords) => [signedIn(words), at(paths.accountActivity())];

/** Scenarios of `/account-activity`. */
export const activityScenarios = {
  'activity.sessions/absent': { 'before the call': beforeTheCall },
  'activity.devices/absent': { 'before the call': beforeTheCall },
  'activity.events/absent': { 'before the call': beforeTheCall },
  'activity.sessions/loading': { slow: opened },
  'activity.devices/loading': { slow: opened },
  'activity.events/loading': { slow: opened },
  'activity.sessions/failed': { failed },
  'activity.devices/failed': { failed },
  'activity.events/failed': { failed },
  'activity.sessions/loaded': {
    'signed in elsewhere': loaded,
    'signing out': (words) => [...loaded(words), actionStarted('phone')],
  },
  'activity.devices/loaded': { none: empty },
  'activity.events/loaded': { 'more loading': (words) => [...loaded(words), actionStarted('more')] },
} as const satisfies Readonly<Record<string, Variants>>;

const atSettings = (words: GivenWords): readonly UnknownAction[] => [
  signedIn(words),
  at(paths.accountSettings()),
  profileRequested(),
  profileLoaded(userAttributes({ email: words.username })),
];
const atActivated = (words: GivenWords): readonly UnknownAction[] => [
  signedIn(words),
  at(paths.mfaActivated('app')),
  activationConfirmed('app'),
];

/** Scenarios of the offer to end the other sessions, after a change of factors. */
export const otherSessionsScenarios = {
  'sessions/none': { 'at the settings': atSettings },
  'sessions/offered': {
    'at the settings': (words) => [...atSettings(words), othersFound()],
    'second step set up': (words) => [...atActivated(words), othersFound()],
  },
  'sessions/ending': {
    'at the settings': (words) => [...atSettings(words), othersFound(), endOthersConfirmed()],
    'second step set up': (words) => [...atActivated(words), othersFound(), endOthersConfirmed()],
  },
} as const satisfies Readonly<Record<string, Variants>>;

const noticeOpened = [at(paths.securityNotice('id')), noticeEntered()];
const asked = [...noticeOpened, noticeLoaded({ kind: 'new-device', at: times.startedAt, ...laptop })];

const announced =
  (reason: AnnouncedEnd): Variants[string] =>
  () => [sessionEndAnnounced({ reason }), sessionAbsent()];

/** Scenarios of `/security-notice/{hash}`, and of a session that the service has ended. */
export const securityNoticeScenarios = {
  'auth.endNotice/none': { 'at the login': () => [sessionAbsent()] },
  'auth.endNotice/announced': {
    'ended elsewhere': announced('ended-elsewhere'),
    'password changed': announced('password-changed'),
    locked: announced('locked'),
    reused: announced('reused'),
  },
  'auth.securityNotice/opening': { slow: () => noticeOpened },
  'auth.securityNotice/asking': {
    'new device': () => asked,
    'nothing known': () => [
      ...noticeOpened,
      noticeLoaded({ kind: 'other', at: times.startedAt, ...unknown }),
    ],
  },
  'auth.securityNotice/answering': {
    yes: () => [...asked, noticeAnswered({ mine: true })],
    no: () => [...asked, noticeAnswered({ mine: false })],
  },
  'auth.securityNotice/unreached': { failed: () => [...noticeOpened, noticeUnreached()] },
  'auth.securityNotice/confirmed': {
    yes: () => [...asked, noticeAnswered({ mine: true }), noticeClosed()],
  },
  'auth.securityNotice/secured': {
    no: () => [...asked, noticeAnswered({ mine: false }), noticeClosed()],
  },
} as const satisfies Readonly<Record<string, Variants>>;
