/** @jest-environment node */
import { wakeOthers, wakeUps, type WakeUp } from '@features/session/refresh/nextPoll.saga';
import { fakeBrowser } from '../../../support/fakeDeps';

describe('the line between the tabs', () => {
  it('is closed while the page is left, and open again when it comes back', () => {
    const browser = fakeBrowser();
    const here = browser.tab();
    const elsewhere = browser.tab();
    const heard: WakeUp[] = [];
    const stop = wakeUps(here)((event) => void heard.push(event));
    wakeOthers(elsewhere);
    here.pageLife.emit('left');
    wakeOthers(elsewhere);
    here.pageLife.emit('restored');
    wakeOthers(elsewhere);
    stop();
    wakeOthers(elsewhere);
    expect(heard).toEqual(['poll', 'left', 'restored', 'poll']);
  });
});
