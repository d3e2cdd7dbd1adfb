import { ApiError } from '@shared/api/apiError';
import type { TokenPair } from '@shared/api/decoders';
import type { Timing } from '@vestibule/client/hedgedRequest';
import type { Seeded } from '@vestibule/contract/testing/seeded';
import type { ServiceModel } from './serviceModel';
import type { TimerOwner, VirtualTime } from './virtualTime';

/** The outcome of the calls. */
export interface CallCounts {
  sent: number;
  /** No valid answer arrived: it was lost, or the service failed. */
  faulty: number;
  /** Tokens that the browser received. */
  lifetimes: number;
}

/** The current state of the connection to the service. */
export interface NetworkState {
  isOnline: boolean;
  /** Status of every answer of the service. */
  trouble: 503 | 429 | null;
}

/** How often single calls are lost. */
export interface Losses {
  readonly requests: number;
  readonly answers: number;
  /** Slow answers, 3.5 s to 9 s: a call times out after 10 s. */
  readonly slow?: number;
}

interface Line {
  readonly time: VirtualTime;
  readonly service: ServiceModel;
  readonly chance: Seeded;
  readonly network: NetworkState;
  readonly losses: Losses;
  readonly counts: CallCounts;
  /** Refresh tokens that the browser has received. */
  readonly received: Set<string>;
  /** Called for each call as it is sent. */
  readonly onCall: () => void;
}

/** One refresh call of a tab: request and response, with possible faults on the way. */
export function sendRefresh(
  { time, service, chance, network, losses, counts, received, onCall }: Line,
  owner: TimerOwner,
  refresh: string,
  { timeoutMs, signal }: Timing,
): Promise<TokenPair> {
  counts.sent += 1;
  onCall();
  return new Promise((resolve, reject) => {
    let open = true;
    const end = (deliver: () => void, isGood = false) => {
      if (!open) return;
      open = false;
      if (!isGood) counts.faulty += 1;
      deliver();
    };
    const fail = (kind: 'network' | 'timeout') => end(() => reject(new ApiError(kind)));
    const receive = (tokens: TokenPair) => {
      if (!received.has(tokens.refresh)) counts.lifetimes += 1;
      received.add(tokens.refresh);
      resolve(tokens);
    };
    // Half of what is lost is detected at once, as a broken connection; the other half hangs.
    const lose = () => {
      if (chance.happens(0.5)) time.after(chance.between(1, 50), owner, () => fail('network'));
    };
    signal.addEventListener('abort', () => fail('network'));
    time.after(timeoutMs, owner, () => fail('timeout'));
    if (!network.isOnline || chance.happens(losses.requests)) {
      lose();
      return;
    }
    time.after(chance.between(20, 400), null, () => {
      if (!open) return;
      const { trouble } = network;
      const answer = trouble ? null : service.refresh(refresh, time.now());
      const isSlow = losses.slow !== undefined && chance.happens(losses.slow);
      const wayBackMs = isSlow ? chance.between(3500, 9000) : chance.between(20, 400);
      time.after(wayBackMs, null, () => {
        // A computer that sleeps or is offline has lost its connections.
        const isLost = time.isAsleep() || !network.isOnline || chance.happens(losses.answers);
        if (isLost) time.after(0, owner, lose);
        else if (answer && 'tokens' in answer)
          time.after(0, owner, () => end(() => receive(answer.tokens), true));
        else time.after(0, owner, () => end(() => reject(refusal(trouble))));
      });
    });
  });
}

function refusal(trouble: NetworkState['trouble']): ApiError {
  return new ApiError('server', {
    status: trouble ?? 401,
    ...(trouble === 429 ? { retryAfterMs: 30_000 } : {}),
  });
}
