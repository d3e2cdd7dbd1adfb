import type { Deps } from '@shared/deps';
import type { Subscribe } from '@shared/sagas/withChannel.saga';

/** What makes a tab look at the cookies before its next tick, and the going and coming back of its page. */
export type WakeUp = 'look' | 'left' | 'restored';

/** What the line between the tabs needs of the outside. */
export type LineDeps = Pick<Deps, 'broadcast' | 'config'>;

/**
 * Wake-ups of this tab: it is turned to, goes online, or another tab says that something changed. What is said is a hint
 * and never read; the cookies are the truth. The line is closed while the page is left, because an open one keeps pages
 * out of some browsers' back/forward cache.
 */
export function wakeUps(deps: LineDeps & Pick<Deps, 'pageLife'>): Subscribe<WakeUp> {
  return (listener) => {
    const listen = () => {
      const opened = openLine(deps);
      opened.subscribe(() => listener('look'));
      return opened;
    };
    let line = listen();
    const stop = deps.pageLife.subscribe((event) => {
      if (event === 'left') line.close();
      if (event === 'restored') line = listen();
      if (event === 'left' || event === 'restored') listener(event);
      if (event === 'shown' || event === 'online') listener('look');
    });
    return () => {
      stop();
      line.close();
    };
  };
}

/** Has all other tabs look at the cookies now. */
export function wakeOthers(deps: LineDeps): void {
  const line = openLine(deps);
  line.post({});
  line.close();
}

const openLine = ({ broadcast, config }: LineDeps) => broadcast.open(`${config.cookies.prefix}-session`);
