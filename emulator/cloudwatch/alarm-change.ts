import type { AlarmState } from './alarm-rule.ts';
import type { Verdict } from './evaluate-alarm.ts';

/** The state of an alarm, and since when it has it. */
export interface AlarmStatus extends Verdict {
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** A change of state. */
export interface AlarmChange {
  readonly alarm: string;
  readonly from: AlarmState;
  readonly to: AlarmState;
  readonly reason: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}
