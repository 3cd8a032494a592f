/** What went wrong, where the daemon's own English sentence does not fit the page. */
import type { Problems } from "./problems";

const codes: Problems["codes"] = {
  interrupted: {
    message: "The reply was interrupted: EchoVessel stopped while it was being worded.",
    remedy: "Press “Try again” to have it worded again.",
  },
  defect: {
    message: "Something broke inside EchoVessel while the reply was being worded.",
    remedy: "Press “Try again”. If it breaks again, look into the log in EchoVessel's home and report it.",
  },
};

const fields: Problems["fields"] = {
  base_url: {
    message: "This address cannot be called.",
    remedy: "Write it whole, beginning with http:// or https://, for example http://localhost:11434/v1.",
  },
};

const labels: Problems["labels"] = {
  base_url: "the address",
  model: "the model",
  file: "“Model file”",
  api_key: "the key",
  api_key_file: "the key file",
  name: "the name",
  about: "“Who are they?”",
  style: "“How do they speak?”",
  greetings: "the first words",
  examples: "the examples",
  basis: "“On what grounds?”",
  zone: "the time zone",
  tagline: "the one line",
  text: "the text",
};

const sentences: Problems["sentences"] = [
  ["names the folder ", { message: "“Model file” names a folder, not a file.", remedy: "Write the whole path of the .gguf file in that folder." }],
  [" has no model called ", { message: "It has no model of that name.", remedy: "Choose one of those it offers, or load the model there first." }],
  ["No model is chosen at ", { message: "No model is chosen, and the address lists none.", remedy: "Write the model's name as its server knows it." }],
];

export const problems: Problems = { codes, fields, sentences, labels };
