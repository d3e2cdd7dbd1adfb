import type { FeatureScenarios, GivenWords, ScenariosOf, ScenarioTools } from '@shared/scenario';
import {
  applicationDisconnected,
  applicationsEntered,
  applicationsFailed,
  applicationsLoaded,
  disconnectConfirmed,
} from './applications.slice';
import { continueEntered, requestAnswered, requestLoaded, requestUnreached } from './continue.slice';
import type { ConnectedApplication, OpenIdRequest } from './openid.calls';
import { openidReducer, type OpenIdState } from './openid.reducer';

const identity: OpenIdRequest = {
  name: 'Reports',
  needsIdentity: true,
  needsConsent: false,
  what: ['name', 'email'],
};
const consent: OpenIdRequest = {
  name: 'Partner portal of Northwind Traders',
  needsIdentity: false,
  needsConsent: true,
  what: ['name', 'email', 'applications', 'offline'],
};

const reports: ConnectedApplication = {
  id: 'reports',
  name: 'Reports',
  url: 'https://reports.example.com/',
  what: ['name', 'email'],
  connectedAt: '2026-11-24T16:05:00Z',
};
const portal: ConnectedApplication = {
  id: 'partner-portal',
  name: consent.name,
  url: null,
  what: consent.what,
  connectedAt: '2026-11-02T09:30:00Z',
};

function scenarios({ at, signedIn, verifying }: ScenarioTools): ScenariosOf<'openid', OpenIdState> {
  const opened = (words: GivenWords) => [signedIn(words), at('/continue/id'), continueEntered()];
  const beforeTheCall = (words: GivenWords) => [signedIn(words), at('/account-activity')];
  const entered = (words: GivenWords) => [...beforeTheCall(words), applicationsEntered()];
  const connected = (words: GivenWords) => [...entered(words), applicationsLoaded([reports, portal])];
  return {
    'openid.request/loading': { slow: opened },
    'openid.request/asking': {
      consent: (words) => [...opened(words), requestLoaded(consent)],
      identity: (words) => [...opened(words), requestLoaded(identity)],
      'a long name': (words) => [
        ...opened(words),
        requestLoaded({ ...consent, name: 'NorthwindTraders'.repeat(5) }),
      ],
    },
    'openid.request/proving': {
      'verify identity': (words) => [
        ...opened(words),
        requestLoaded(identity),
        requestAnswered({ allow: true }),
        ...verifying('continue'),
      ],
    },
    'openid.request/answering': {
      continue: (words) => [...opened(words), requestLoaded(consent), requestAnswered({ allow: true })],
      cancel: (words) => [...opened(words), requestLoaded(consent), requestAnswered({ allow: false })],
    },
    'openid.request/unreached': { failed: (words) => [...opened(words), requestUnreached()] },
    'openid.applications.list/absent': { 'before the call': beforeTheCall },
    'openid.applications.list/loading': { slow: entered },
    'openid.applications.list/failed': { failed: (words) => [...entered(words), applicationsFailed()] },
    'openid.applications.list/loaded': {
      connected,
      disconnecting: (words) => [...connected(words), disconnectConfirmed(reports)],
      disconnected: (words) => [...connected(words), applicationDisconnected(reports)],
      none: (words) => [...entered(words), applicationsLoaded([])],
      'a long name': (words) => [
        ...entered(words),
        applicationsLoaded([{ ...reports, name: 'NorthwindTraders'.repeat(5) }]),
      ],
    },
  };
}

/** Scenarios of `/continue/{id}`, and of the connected applications. */
export const openidScenarios: FeatureScenarios = { reducer: openidReducer, scenarios };
