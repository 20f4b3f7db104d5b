import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type HorizontalAnnotation,
  type IAlarm,
  type IWidget,
  LogQueryWidget,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { dashboardRows, type Picture, refusedClientsQuery } from './dashboard-rows.ts';
import type { AlarmDefinition } from './definition.ts';
import { type MonitoredResources, resolveMeasure } from './resolve-metric.ts';

export interface DashboardProps {
  readonly resources: MonitoredResources;
  readonly definitions: readonly AlarmDefinition[];
  /** In the order in which they are shown. */
  readonly alarms: readonly IAlarm[];
  /** Log group of the function `token`, whose lines name the clients. */
  readonly tokenLog: ILogGroup;
}

/** The width of a dashboard, in columns. */
const fullWidth = 24;

const pictureHeight = 6;

/** Seconds. As that of the alarms, so that a picture shows the values that an alarm compares. */
const period = 300;

/** A dashboard that answers the questions of `dashboard-rows.ts`, with the measures and thresholds of the alarms. */
export function createDashboard(scope: Construct, props: DashboardProps): Dashboard {
  const dashboard = new Dashboard(scope, 'Dashboard');
  for (const { question, hint, first, pictures } of dashboardRows) {
    dashboard.addWidgets(
      new TextWidget({ markdown: `## ${question}\n${hint}`, width: fullWidth, height: 2 }),
    );
    if (first !== undefined) {
      dashboard.addWidgets(first === 'refused clients' ? refusedClients(props) : alarmStates(props));
    }
    const width = fullWidth / pictures.length;
    dashboard.addWidgets(...pictures.map((picture) => draw(picture, width, scope, props)));
  }
  return dashboard;
}

function alarmStates({ alarms }: DashboardProps): IWidget {
  return new AlarmStatusWidget({
    title: 'Alarms',
    alarms: [...alarms],
    width: fullWidth,
    height: pictureHeight,
  });
}

function draw(
  { title, alarms = [], values = [] }: Picture,
  width: number,
  scope: Construct,
  { definitions, resources }: DashboardProps,
): IWidget {
  const drawn = alarms.flatMap((name) => definitionsOf(name, definitions));
  const measured = drawn.map(({ id, measure }) => resolveMeasure(measure, period, resources, scope, id));
  const besides = values.map((metric) => resolveMeasure({ metric }, period, resources, scope));
  return new GraphWidget({
    title,
    left: [...measured, ...besides],
    leftAnnotations: thresholdsOf(drawn),
    leftYAxis: { min: 0, showUnits: false },
    width,
    height: pictureHeight,
  });
}

/** @throws {Error} for a name that no alarm has */
function definitionsOf(name: string, definitions: readonly AlarmDefinition[]): readonly AlarmDefinition[] {
  const found = definitions.filter(({ id, runbook }) => id === name || runbook === name);
  if (found.length === 0) {
    throw new Error(`The dashboard draws the alarm ${name}, which does not exist.`);
  }
  return found;
}

/** One line for each threshold, with the alarms that have it. */
function thresholdsOf(definitions: readonly AlarmDefinition[]): HorizontalAnnotation[] {
  const values = new Set(definitions.map(({ threshold }) => threshold));
  return [...values].map((value) => {
    const alarms = definitions.filter(({ threshold }) => threshold === value);
    const names = new Set(alarms.map(({ runbook, comparison }) => `${runbook}: ${comparison} ${value}`));
    return { value, label: [...names].join(', ') };
  });
}

function refusedClients({ tokenLog }: DashboardProps): IWidget {
  return new LogQueryWidget({
    title: 'Clients that got no token',
    logGroupNames: [tokenLog.logGroupName],
    queryLines: [...refusedClientsQuery],
    width: fullWidth,
    height: pictureHeight,
  });
}
