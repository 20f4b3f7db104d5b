import type { AlarmChange, AlarmStatus } from './alarm-change.ts';
import type { AlarmState } from './alarm-rule.ts';
import type { TemplateAlarm } from './template-alarms.ts';

/** What is known of an alarm when its actions are decided about. */
export interface ActionsInput {
  readonly alarm: TemplateAlarm;
  readonly status: AlarmStatus;
  /** The state whose actions were carried out last; that of a new alarm at first. */
  readonly acted: AlarmState;
  /** The alarm that suppresses the actions, if there is one: its state, and when it last left ALARM. */
  readonly suppressor: { readonly state: AlarmState; readonly leftAlarmAt: number | undefined } | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Whether the actions of an alarm's state are due (CloudWatch User Guide, "Suppressing composite alarm actions"):
 *
 * - none while the suppressor is raised, nor for the extension period after that;
 * - when the alarm is raised, the wait period passes first, in which the suppressor may be raised;
 * - what has changed back by then causes none.
 */
export function areActionsDue({ alarm, status, acted, suppressor, now }: ActionsInput): boolean {
  if (status.state === acted) {
    return false;
  }
  if (alarm.kind === 'metric' || suppressor === undefined) {
    return true;
  }
  const { ActionsSuppressorWaitPeriod: wait = 0, ActionsSuppressorExtensionPeriod: extension = 0 } =
    alarm.properties;
  if (suppressor.state === 'ALARM') {
    return false;
  }
  if (suppressor.leftAlarmAt !== undefined && now < suppressor.leftAlarmAt + extension * 1000) {
    return false;
  }
  return status.state !== 'ALARM' || now >= status.since + wait * 1000;
}

/** When an alarm last left ALARM, in milliseconds since the epoch. @param history the newest first */
export function leftAlarmAt(name: string, history: readonly AlarmChange[]): number | undefined {
  return history.find(({ alarm, from }) => alarm === name && from === 'ALARM')?.at;
}

/** ARNs of what hears of the alarm's state. */
export function actionsOf({ properties }: TemplateAlarm, state: AlarmState): readonly string[] {
  const { ActionsEnabled = true, AlarmActions, OKActions, InsufficientDataActions } = properties;
  const actions = { ALARM: AlarmActions, OK: OKActions, INSUFFICIENT_DATA: InsufficientDataActions }[state];
  return ActionsEnabled ? (actions ?? []) : [];
}
