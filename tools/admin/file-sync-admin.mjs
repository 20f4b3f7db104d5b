#!/usr/bin/env node
import { startTool } from '../terminal/start-tool.mjs';

await startTool('admin');
