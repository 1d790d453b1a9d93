// node shot.mjs report out width height scheme y hash
import { openChromium } from "./chromium.mjs";
const [report,out,width,height,scheme,...rest]=process.argv.slice(2);
const c=await openChromium(); const page=await c.newPage();
page.on("pageerror",e=>console.log("ERR",String(e))); page.on("console",m=>m.type()==="error"&&console.log("CONSOLE",m.text()));
await page.emulateMedia({colorScheme:scheme}); await page.setViewportSize({width:+width,height:+height});
for(const arg of rest){ const [y,hash]=arg.split("@");
 await page.goto("about:blank"); await page.goto("file://"+report+(hash?("#"+hash):"")); await page.waitForSelector("html[data-ready]"); await page.waitForTimeout(200);
 if(y!=="0") await page.evaluate(y=>scrollTo(0,y),+y); await page.waitForTimeout(100);
 await page.screenshot({path:`${out}-${y}.png`}); }
await c.close();
