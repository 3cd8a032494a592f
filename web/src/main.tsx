import { render } from "preact";
import "./style/base.css";
import "./style/parts.css";
import "./style/sheet.css";
import "./style/welcome.css";
import "./style/talk.css";
import "./style/search.css";
import "./style/message.css";
import { App } from "./app";
import { dress } from "./look";
import { enter } from "./session";

dress(document.documentElement);
const page = document.getElementById("page");
if (page !== null) render(<App />, page);
void enter();
