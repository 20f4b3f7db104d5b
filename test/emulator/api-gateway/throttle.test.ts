import { describe, expect, it } from 'vitest';
import { createThrottle } from '../../../emulator/api-gateway/handle-request.ts';

describe('throttling (API Gateway, "Throttle requests to your HTTP APIs")', () => {
  it('lets a burst pass, and then as many as the rate adds', () => {
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
});
