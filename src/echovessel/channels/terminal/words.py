"""What the terminal itself says, in both languages."""

from dataclasses import dataclass

from echovessel.core.talk import Voice


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The terminal's own sentences."""

    you: str
    welcome: str
    help: str
    stopping: str
    leave_hint: str
    goodbye: str
    nothing_to_retry: str
    unknown_command: str
    personas: str
    retry_hint: str
    keeper: str
    from_keeper: str
    from_care: str

    def speaker(self, voice: Voice, persona: str) -> str:
        """Whose words follow. The program's are never the persona's."""
        match voice:
            case Voice.USER:
                return self.you
            case Voice.PERSONA:
                return persona
            case Voice.KEEPER:
                return self.from_keeper.format(persona=persona)
            case Voice.CARE:
                return self.from_care.format(persona=persona)


EN = Words(
    you="You",
    welcome="Talking with {persona}. /help shows what else there is; Ctrl-D leaves.",
    help="""\
/retry            try the last answer again after it failed
/regenerate       have the last answer worded anew
/persona [NAME]   talk with someone else, or list them
/quit             leave (everything said is kept)
Ctrl-C stops an answer; twice leaves.""",
    stopping="(stopping; once more to leave)",
    leave_hint="(/quit or Ctrl-C once more to leave)",
    goodbye="Everything said is kept.",
    nothing_to_retry="There is no answer to word again yet.",
    unknown_command="There is no command {command}. /help shows them; begin with a space to say it as it is.",
    personas="You can talk with: {names}",
    retry_hint="/retry tries again.",
    keeper="What can be said without a model: ",
    from_keeper="The keeper, not {persona}",
    from_care="EchoVessel, not {persona}",
)

ZH = Words(
    you="你",
    welcome="正在和{persona}说话。输入 /help 查看命令，Ctrl-D 离开。",
    help="""\
/retry            回复失败后再试一次
/regenerate       换一种说法重新回复
/persona [名字]   换一个人说话，或看看都有谁
/quit             离开（说过的话都留着）
Ctrl-C 停止回复，连按两次离开。""",
    stopping="（正在停下；再按一次离开）",
    leave_hint="（输入 /quit 或再按一次 Ctrl-C 离开）",
    goodbye="说过的话都留着。",
    nothing_to_retry="还没有可以重说的回复。",
    unknown_command="没有 {command} 这个命令，/help 可以查看；想原样说出来，请在前面加一个空格。",
    personas="可以和这些人说话：{names}",
    retry_hint="输入 /retry 再试一次。",
    keeper="没有模型时能说的：",
    from_keeper="看家的代答，不是{persona}",
    from_care="EchoVessel 的话，不是{persona}",
)


def words(locale: str) -> Words:
    """The words of a language; English for one we do not have."""
    return ZH if locale == "zh" else EN
