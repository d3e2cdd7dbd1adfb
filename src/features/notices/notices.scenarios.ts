import type { FeatureScenarios, ScenariosOf, ScenarioTools } from '@shared/scenario';
import {
  noticeAnswered,
  noticeClosed,
  noticeEntered,
  noticeGateShown,
  noticeLoaded,
  noticeUnreached,
  securityNoticeReducer,
  type SecurityNoticeState,
} from './securityNotice.slice';

const at = '2026-11-02T09:30:00Z';
const laptop = { browser: 'Firefox 153', system: 'Windows', network: '203.0.113.0/24' } as const;
const unknown = { browser: null, system: null, network: null } as const;

function scenarios(tools: ScenarioTools): ScenariosOf<'notices', SecurityNoticeState> {
  const opened = [tools.at('/security-notice/id'), noticeEntered()];
  const asked = [...opened, noticeLoaded({ kind: 'new-device', at, ...laptop })];
  return {
    'notices/opening': { slow: () => opened },
    'notices/gate': { 'before the call': () => [...opened, noticeGateShown()] },
    'notices/asking': {
      'new device': () => asked,
      'nothing known': () => [...opened, noticeLoaded({ kind: 'other', at, ...unknown })],
    },
    'notices/answering': {
      yes: () => [...asked, noticeAnswered({ mine: true })],
      no: () => [...asked, noticeAnswered({ mine: false })],
    },
    'notices/unreached': { failed: () => [...opened, noticeUnreached()] },
    'notices/confirmed': { yes: () => [...asked, noticeAnswered({ mine: true }), noticeClosed()] },
    'notices/secured': { no: () => [...asked, noticeAnswered({ mine: false }), noticeClosed()] },
  };
}

/** Scenarios of `/security-notice/{hash}`. */
export const noticesScenarios: FeatureScenarios = { reducer: securityNoticeReducer, scenarios };
