import { EventEmitter } from 'node:events';
import { endSignal } from '../../../../tools/local/start/end-signal.ts';

let target: NodeJS.Process;
let exit: ReturnType<typeof vi.fn>;
let signal: AbortSignal;

beforeEach(() => {
  vi.useFakeTimers();
  vi.advanceTimersByTime(1_000);
  exit = vi.fn();
  target = Object.assign(new EventEmitter(), { exit }) as unknown as NodeJS.Process;
  signal = endSignal(target);
});

test.for(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s asks for a clean end', (name) => {
  expect(signal.aborted).toBe(false);
  target.emit(name, name);
  expect(signal.aborted).toBe(true);
  expect(exit).not.toHaveBeenCalled();
});

test('a signal that npm repeats is the same request', () => {
  target.emit('SIGINT', 'SIGINT');
  vi.advanceTimersByTime(500);
  target.emit('SIGINT', 'SIGINT');
  expect(exit).not.toHaveBeenCalled();
});

test('a second request ends the process by force', () => {
  target.emit('SIGINT', 'SIGINT');
  vi.advanceTimersByTime(501);
  target.emit('SIGTERM', 'SIGTERM');
  expect(exit).toHaveBeenCalledExactlyOnceWith(130);
});

test('a clean end that is too slow is forced', () => {
  target.emit('SIGINT', 'SIGINT');
  vi.advanceTimersByTime(9_999);
  expect(exit).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(exit).toHaveBeenCalledExactlyOnceWith(1);
});
