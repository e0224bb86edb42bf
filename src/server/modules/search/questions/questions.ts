/** What people type, and a title that must be among the first five. */

export type QuestionClass = keyof typeof questions

/** `what was typed → title`; one question in a line. */
export const questions = {
  words: `
高中物理 必修一 → 高中物理必修一知识点总结
电磁感应 → 电磁感应现象与楞次定律
租赁合同 → 房屋租赁合同范本
数据库 → 数据库设计与范式
辞职报告 → 辞职报告范文
年终总结 → 年终工作总结模板
房屋 合同 模板 → 房屋租赁合同范本
爬虫 Python → Python网络爬虫入门
班主任 经验 → 班主任工作经验交流
高血压 教育 → 高血压患者健康教育
混凝土 技术交底 → 混凝土浇筑技术交底
红烧肉 做法 → 红烧肉的做法
增值税申报 → 增值税纳税申报流程
机器学习 教程 → 机器学习基础教程
论文 开题报告 → 毕业论文开题报告
阳台种菜 → 阳台种菜入门
饺子 包法 → 饺子的包法
河岸步道 → 河岸步道指南
测试指南 → 写给同事的测试指南
图书馆 季度报告 → 图书馆季度工作报告
劳动合同 简单 模板 → 劳动合同书标准版
数据库 范式 例题 → 数据库设计与范式
水稻 种植 病虫害 手册 → 水稻种植技术手册
心肺复苏 步骤 流程 → 心肺复苏操作流程
商业计划书 咖啡 → 咖啡店创业计划`,
  typos: `
电磁感映现象 → 电磁感应现象与楞次定律
房屋租凭合同 → 房屋租赁合同范本
牛顿第二定率 → 牛顿第二定律实验报告
机械能守衡定律 → 机械能守恒定律教学设计
区快链技术 → 区块链技术原理与应用
辞职抱告 → 辞职报告范文
述职报靠 → 述职报告范文
年终工作总接 → 年终工作总结模板
红楼梦人物关系图介 → 红楼梦人物关系图解
光和作用 → 光合作用实验设计
氧化还愿反应 → 氧化还原反应配平技巧
高血压患着 → 高血压患者健康教育
糖料病饮食 → 糖尿病饮食指南
心肺复书 → 心肺复苏操作流程
增直税纳税申报 → 增值税纳税申报流程
固定资产拆旧 → 固定资产折旧计算表
混泥土浇筑 → 混凝土浇筑技术交底
脚手驾搭设 → 脚手架搭设安全方案
班主仁工作 → 班主任工作经验交流
家长会法言稿 → 家长会发言稿
个人简厉模板 → 个人简历模板
操作系统原里 → 操作系统原理实验指导
数剧库设计 → 数据库设计与范式
神经网洛 → 深度学习与神经网络
思唯导图绘制 → 思维导图绘制方法
太级拳 → 太极拳二十四式
水稻种值 → 水稻种植技术手册
阳台种莱 → 阳台种菜入门
徒步装倍 → 徒步装备对照表
会议记要格式 → 会议纪要格式
商业计化书 → 商业计划书模板
抗生素合里使用 → 抗生素合理使用规范`,
  pinyin: `
shujuku → 数据库设计与范式
dianciganying → 电磁感应现象与楞次定律
cizhibaogao → 辞职报告范文
fangwuzulin → 房屋租赁合同范本
gaoxueya → 高血压患者健康教育
hongloumeng → 红楼梦人物关系图解
jiqixuexi → 机器学习基础教程
qukuailian → 区块链技术原理与应用
niudundierdinglv → 牛顿第二定律实验报告
weijifen → 微积分入门讲义
ruanjianceshi → 软件测试用例编写规范
banzhuren → 班主任工作经验交流
tang niao bing → 糖尿病饮食指南
shui dao zhong zhi → 水稻种植技术手册
gongwuyuan → 公务员行测真题2024年
jisuanji wangluo → 计算机网络自顶向下方法笔记
hongshaorou → 红烧肉的做法
taijiquan → 太极拳二十四式
yangtai zhongcai → 阳台种菜入门
rudangshenqingshu → 入党申请书范文
xianxingdaishu → 线性代数期末复习提纲`,
  initials: `
sjkxtgl → 数据库系统概论课后习题
dcgy → 电磁感应现象与楞次定律
czbg → 辞职报告范文
fwzlht → 房屋租赁合同范本
hlm → 红楼梦人物关系图解
jqxx → 机器学习基础教程
qkl → 区块链技术原理与应用
gdsx → 高等数学同济第七版上册笔记
xxds → 线性代数期末复习提纲
nzgzzj → 年终工作总结模板
grjl → 个人简历模板
tnb → 糖尿病饮食指南
lyqw → 论语全文及译文
ytzc → 阳台种菜入门
kjjc → 会计基础知识入门
czxt → 操作系统原理实验指导
jtsgzr → 交通事故责任认定流程
wqsht → 围棋死活题`,
  sentences: `
怎么写辞职报告 → 辞职报告范文
请问如何写年终工作总结 → 年终工作总结模板
什么是区块链 → 区块链技术原理与应用
如何做好班主任工作 → 班主任工作经验交流
高中物理必修一有哪些知识点 → 高中物理必修一知识点总结
光合作用的实验怎么设计 → 光合作用实验设计
糖尿病人应该怎么吃饮食有什么要注意的 → 糖尿病饮食指南
怎么申报增值税 → 增值税纳税申报流程
请假条应该怎么写 → 请假条怎么写
如何恢复硬盘里的数据 → 硬盘数据恢复教程
打印机出了故障怎么办 → 打印机常见故障排除
红烧肉怎么做才好吃 → 红烧肉的做法
有没有房屋租赁的合同范本 → 房屋租赁合同范本
Python爬虫怎么入门 → Python网络爬虫入门
新生儿黄疸在家里如何护理 → 新生儿黄疸家庭护理
怎样给苹果树修剪 → 苹果树冬季修剪
我想找一份咖啡店的创业计划 → 咖啡店创业计划
为什么会有城市热岛效应 → 城市热岛效应研究
怎么看懂等高线地形图 → 高中地理等高线地形图判读
抑郁症怎么识别和干预 → 抑郁症的识别与干预
交通事故的责任怎么认定 → 交通事故责任认定流程
论文查重率太高怎么降重 → 论文查重与降重方法
原电池和电解池有什么区别 → 原电池与电解池的区别
阳台上怎么种菜 → 阳台种菜入门
饺子应该怎么包 → 饺子的包法
怎样评审别人的测试 → 怎样评审测试
如何填报2025年高考志愿 → 2025年高考志愿填报指南
孩子什么时候接种疫苗 → 儿童疫苗接种时间表
怎么用Photoshop抠图 → Photoshop抠图教程
如何排查内存泄漏 → 内存泄漏排查经验`,
  mixed: `
python 爬虫 rumen → Python网络爬虫入门
高中 wuli 必修二 → 高中物理必修二知识点总结
excel 透视表 jiaocheng → Excel数据透视表教程
mysql 优化 → MySQL性能优化实战
redis 缓存 → Redis缓存设计模式
docker 容器 基础 → Docker容器技术基础
房屋 hetong → 房屋租赁合同范本
班主任 gongzuo → 班主任工作经验交流
ppt 设计技巧 → PPT设计与制作技巧
k8s Kubernetes 部署 → Kubernetes集群部署手册
vue 组件通信 → Vue组件通信方式
DNA 复制 过程 → DNA复制与转录过程
word 排版 → Word排版从入门到精通
spring boot 微服务 教程 → Spring Boot微服务架构
四级 cihui → 大学英语四级词汇手册
雅思 xiezuo → 雅思写作高分模板
cad 快捷键 → CAD快捷键命令
linux 命令大全 → Linux命令速查表
git 指南 → Git版本控制使用指南
java 并发 → Java并发编程实践`,
  regional: `
資料庫 → 数据库设计与范式
資料庫設計 → 数据库设计与范式
軟體工程 → 软件工程导论课件
軟體測試 → 软件测试用例编写规范
滑鼠 → 鼠标和键盘的工作原理
印表機 → 打印机常见故障排除
硬碟 → 硬盘数据恢复教程
記憶體 → 内存泄漏排查经验
人工智慧 → 人工智能在医疗领域的应用
區塊鏈技術 → 区块链技术原理与应用
房屋租賃合同 → 房屋租赁合同范本
高等數學 → 高等数学同济第七版上册笔记
機器學習 → 机器学习基础教程
紅樓夢 → 红楼梦人物关系图解
辭職報告 → 辞职报告范文
資訊系統 → 信息系统项目管理师教程
網路安全 → 网络安全等级保护测评报告
雲端計算 → 云计算服务模型对比
影片剪輯 → 视频剪辑软件使用说明
物聯網 → 物联网智能家居系统设计`,
  english: `
javascript → JavaScript高级程序设计笔记
javascirpt → JavaScript高级程序设计笔记
pyhton → Python网络爬虫入门
kubernets → Kubernetes集群部署手册
photoshp → Photoshop抠图教程
postgresl → PostgreSQL管理员指南
typscript → TypeScript类型系统详解
business english → Business English Writing Handbook
bussiness english → Business English Writing Handbook
pronunciation guide → A Beginner Guide to English Pronunciation
presentation skills → Academic Presentation Skills
reading group → A Short Guide to Reading Groups
how to start a reading group → A Short Guide to Reading Groups
c++ → C++面向对象程序设计
c# → C#桌面程序开发
premier → Premiere转场特效
excle 函数 → Excel函数公式大全
react hook → React Hooks最佳实践`,
  numbers: `
2024 行测 → 公务员行测真题2024年
2024年公务员行测真题 → 公务员行测真题2024年
2022 行测真题 → 公务员行测真题2022年
六级听力 2023 → 英语六级听力真题2023年
口语900句 → 英语口语日常对话900句
2025高考志愿 → 2025年高考志愿填报指南
二十四式太极 → 太极拳二十四式
同济第七版 → 高等数学同济第七版上册笔记
高中物理必修2 知识点 → 高中物理必修二知识点总结
2023英语六级真题听力 → 英语六级听力真题2023年`,
  bodies: `
韭菜切好之后先拌油再放盐 → 一家人的饺子
和面的时候水要分几次加 → 一家人的饺子
擀皮要中间厚四周薄 → 饺子的包法
水开之后下锅 点三次凉水 → 一家人的饺子
蘸料以醋为主 香油 → 面点笔记
夏天用凉水冬天用温水 → 饺子的包法
辣椒在热油里滚一下再切碎 → 面点笔记`,
} as const

export function listQuestions(): { kind: QuestionClass; typed: string; title: string }[] {
  return (Object.keys(questions) as QuestionClass[]).flatMap((kind) =>
    questions[kind]
      .trim()
      .split('\n')
      .map((line) => {
        const [typed = '', title = ''] = line.split(' → ')
        return { kind, typed, title }
      }),
  )
}
