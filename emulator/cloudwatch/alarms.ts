import { join } from 'node:path';
import * as v from 'valibot';
import type { DiskTrouble } from '../shared/disk-trouble.ts';
import { makeDirectory, readFileIfPresent, writeFileAtomically } from '../shared/files.ts';
import type { AlarmChange, AlarmStatus } from './alarm-change.ts';
import type { AlarmState } from './alarm-rule.ts';
import { actionsOf, areActionsDue, leftAlarmAt } from './due-actions.ts';
import { evaluateAlarm, type Verdict } from './evaluate-alarm.ts';
import type { MetricStore } from './metric-store.ts';
import type { CompositeAlarm, TemplateAlarm } from './template-alarms.ts';

export type { AlarmChange, AlarmStatus } from './alarm-change.ts';

export interface Alarms {
  readonly all: readonly TemplateAlarm[];
  readonly statusOf: (alarm: TemplateAlarm) => AlarmStatus;
  /** Changes of state, the newest first. */
  readonly history: () => readonly AlarmChange[];
  /** Evaluates every alarm as of a time, in milliseconds since the epoch. Keeps and tells what changed. */
  readonly evaluate: (now: number) => Promise<void>;
}

export interface AlarmsOptions {
  readonly alarms: readonly TemplateAlarm[];
  readonly store: Pick<MetricStore, 'summarize'>;
  /** Folder in which states and history are kept. */
  readonly directory: string;
  readonly onChange: (change: AlarmChange) => void;
  /** Carries out one action of an alarm: tells a topic. */
  readonly act: (action: string, alarm: TemplateAlarm, change: AlarmChange) => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly disk: Pick<DiskTrouble, 'noteFailure'>;
}

/** Most changes that are remembered, of all alarms together. AWS remembers those of 30 days. */
const longestHistory = 500;

const stateSchema = v.picklist(['OK', 'ALARM', 'INSUFFICIENT_DATA']);

const keptSchema = v.object({
  acted: v.optional(v.record(v.string(), stateSchema), {}),
  states: v.record(v.string(), v.object({ state: stateSchema, reason: v.string(), since: v.number() })),
  history: v.array(
    v.object({ alarm: v.string(), from: stateSchema, to: stateSchema, reason: v.string(), at: v.number() }),
  ),
});

/** Opens the alarms of the template with the states that an earlier process left. */
export async function openAlarms(options: AlarmsOptions): Promise<Alarms> {
  const { alarms, store, directory, onChange, act, now, disk } = options;
  await makeDirectory(directory);
  const path = join(directory, 'alarms.json');
  const kept = await readKept(path);
  const states = new Map(Object.entries(kept.states));
  const acted = new Map(Object.entries(kept.acted));
  let { history } = kept;
  const openedAt = now();
  const statusOf = ({ name }: Pick<TemplateAlarm, 'name'>): AlarmStatus =>
    states.get(name) ?? { ...unchecked, since: openedAt };
  const save = async () => {
    const content = JSON.stringify({
      states: Object.fromEntries(states),
      acted: Object.fromEntries(acted),
      history,
    });
    await writeFileAtomically(path, content).catch(disk.noteFailure);
  };
  const judge = (alarm: TemplateAlarm, at: number): Verdict =>
    alarm.kind === 'metric'
      ? evaluateAlarm(alarm.settings, store, at, statusOf(alarm).state)
      : judgeComposite(alarm, alarms, statusOf);
  const carryOut = async (at: number) => {
    const due = alarms.filter((alarm) => {
      const suppressor = suppressorOf(alarm, alarms);
      return areActionsDue({
        alarm,
        status: statusOf(alarm),
        acted: acted.get(alarm.name) ?? unchecked.state,
        suppressor: suppressor && {
          state: statusOf(suppressor).state,
          leftAlarmAt: leftAlarmAt(suppressor.name, history),
        },
        now: at,
      });
    });
    for (const alarm of due) {
      const { state: to, reason, since } = statusOf(alarm);
      const from = acted.get(alarm.name) ?? unchecked.state;
      acted.set(alarm.name, to);
      for (const action of actionsOf(alarm, to)) {
        await act(action, alarm, { alarm: alarm.name, from, to, reason, at: since });
      }
    }
    return due.length > 0;
  };
  return {
    all: alarms,
    statusOf,
    history: () => history,
    evaluate: async (at) => {
      const changes = alarms.flatMap((alarm) => {
        const { state: from } = statusOf(alarm);
        const { state: to, reason } = judge(alarm, at);
        if (from === to) {
          return [];
        }
        states.set(alarm.name, { state: to, reason, since: at });
        return [{ alarm: alarm.name, from, to, reason, at }];
      });
      if (changes.length > 0) {
        history = [...changes.toReversed(), ...history].slice(0, longestHistory);
        changes.forEach(onChange);
      }
      if ((await carryOut(at)) || changes.length > 0) {
        await save();
      }
    },
  };
}

/** What AWS says of an alarm that is new. */
const unchecked: Verdict = { state: 'INSUFFICIENT_DATA', reason: 'Unchecked: Initial alarm creation' };

/** The alarm that suppresses the actions of another one. */
function suppressorOf(alarm: TemplateAlarm, alarms: readonly TemplateAlarm[]): TemplateAlarm | undefined {
  const named = alarm.kind === 'composite' ? alarm.properties.ActionsSuppressor : undefined;
  return named === undefined ? undefined : alarms.find(({ name, arn }) => named === name || named === arn);
}

function judgeComposite(
  { rule }: CompositeAlarm,
  alarms: readonly TemplateAlarm[],
  statusOf: (alarm: TemplateAlarm) => AlarmStatus,
): Verdict {
  const named = (text: string) => alarms.find(({ name, arn }) => text === name || text === arn);
  const stateOf = (text: string): AlarmState => {
    const alarm = named(text);
    return alarm === undefined ? 'INSUFFICIENT_DATA' : statusOf(alarm).state;
  };
  const state = rule.holds(stateOf) ? 'ALARM' : 'OK';
  const states = [...new Set(rule.alarms)].map((text) => `${named(text)?.name ?? text} is ${stateOf(text)}`);
  return { state, reason: `${states.join(', ')}.` };
}

async function readKept(path: string): Promise<v.InferOutput<typeof keptSchema>> {
  const text = (await readFileIfPresent(path)) ?? '{"states":{},"history":[]}';
  return v.parse(v.pipe(v.string(), v.parseJson(), keptSchema), text);
}
