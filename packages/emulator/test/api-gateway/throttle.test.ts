import { createThrottle, createThrottles } from '../../api-gateway/handle-request.ts';

describe('throttling (API Gateway, "Throttle requests to your HTTP APIs")', () => {
  it('allows a burst, and then the requests that the rate adds', () => {
    let now = 0;
    const mayPass = createThrottle({ rate: 2, burst: 3 }, () => now);
    const passed = () => Array.from({ length: 5 }, mayPass).filter(Boolean).length;
    expect(passed()).toBe(3);
    now = 400;
    expect(passed()).toBe(0);
    now = 1000;
    expect(passed()).toBe(2);
    now = 60_000;
    expect(passed()).toBe(3);
  });

  it('applies limits of a route in addition to the shared limits', () => {
    let now = 0;
    const routeThrottles = new Map([
      ['GET /keys', { rate: 1, burst: 2 }],
      ['POST /token', { rate: 2, burst: 3 }],
    ]);
    const mayPass = createThrottles({ throttle: { rate: 4, burst: 6 }, routeThrottles }, () => now);
    const passed = (routeKey: string) =>
      Array.from({ length: 9 }, () => mayPass(routeKey)).filter(Boolean).length;
    expect(passed('GET /keys')).toBe(2);
    expect(passed('POST /token')).toBe(3);
    // Requests that a route rejects do not count against the shared limit.
    expect(passed('GET /other')).toBe(1);
    now = 1000;
    expect([passed('POST /token'), passed('GET /keys'), passed('GET /other')]).toEqual([2, 1, 1]);
  });
});
