/** @jest-environment node */
import type { TokenPair } from '@shared/api/api';
import { createAuthApi } from '@shared/api/liveApi';
import type { Http } from '@shared/api/http';
import { createFakeClock } from '../../support/fakePorts';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const refreshing = (refreshGraceSeconds?: number) => {
  const answers: ((tokens: TokenPair) => void)[] = [];
  const post = jest.fn(() => new Promise<TokenPair>((resolve) => void answers.push(resolve)));
  const http = { post } as unknown as Http;
  return { answers, post, api: createAuthApi(http, { clock: createFakeClock(), refreshGraceSeconds }) };
};
const renewed = { token: 't', refresh: 'r-2' };

describe('a refresh whose answer is outstanding', () => {
  it('is not sent again, where the deployment says nothing of a grace', async () => {
    const { api, post } = refreshing();
    void api.refresh('r-1');
    await jest.advanceTimersByTimeAsync(9000);
    expect(post).toHaveBeenCalledTimes(1);
  });

  it('is sent again, where the service has one', async () => {
    const { api, post } = refreshing(10);
    void api.refresh('r-1');
    await jest.advanceTimersByTimeAsync(9000);
    expect(post).toHaveBeenCalledTimes(3);
  });

  it('answers whoever asks meanwhile with the same token', async () => {
    const { api, answers, post } = refreshing();
    const asked = [api.refresh('r-1'), api.refresh('r-1')];
    answers[0]?.(renewed);
    expect(await Promise.all(asked)).toEqual([renewed, renewed]);
    expect(post).toHaveBeenCalledTimes(1);
    void api.refresh('r-1');
    expect(post).toHaveBeenCalledTimes(2);
  });
});
